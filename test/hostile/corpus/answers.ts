import { setTimeout as sleep } from "node:timers/promises";
import { flood, type RawAnswer } from "../raw-origin.ts";
import { rows, type HostileRow } from "./row.ts";

/** What becomes of an answer. */
export interface AnswerEnds {
  /** The status that a program gets through the proxy; `cut` if the connection breaks before or within the body. */
  readonly proxied: number | "cut";
  /** The status that Ferry's own request gets, `cut` if the body breaks, or the code of its failure. */
  readonly fetched: number | string;
}

const rest = "content-length: 2\r\nconnection: close\r\n\r\nok";
const begin = (line: string) => `${line}\r\n${rest}`;
const header = (line: string) => `HTTP/1.1 200 OK\r\n${line}\r\n${rest}`;
const chunked = (body: string) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body}`;
const poured =
  (piece: string, before = ""): RawAnswer =>
  (socket) => {
    socket.write(before);
    return flood(socket, piece);
  };

/** Answers that are not what a client expects of HTTP, and how a request for each ends. */
export const hostileAnswers: readonly HostileRow<RawAnswer, AnswerEnds>[] = [
  ...rows<RawAnswer, AnswerEnds>({ proxied: 473, fetched: "source_error" }, [
    [begin("HTTP/1.1 000 OK"), "a status of zeros"],
    [begin("HTTP/1.1 099 OK"), "a status below all others"],
    [begin("HTTP/1.1 600 OK"), "a status above all others"],
    [begin("HTTP/1.1 999 OK"), "the highest status that can be written"],
    [begin("HTTP/1.1 1000 OK"), "a status of four digits"],
    [begin("HTTP/1.1 20 OK"), "a status of two digits"],
    [begin("HTTP/1.1 -1 OK"), "a negative status"],
    [begin("HTTP/1.1 200 a\rb"), "a line break in the reason"],
    [begin("HTTP/9.9 200 OK"), "a version that does not exist"],
    ["hello", "no HTTP at all"],
    ["HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n", "an upgrade"],
    ["HTTP/1.1 101 Switching Protocols\r\n\r\n", "an upgrade to nothing"],
    [header("x: a\u0001b"), "a control character in a header"],
    [header("x: a\0b"), "a zero byte in a header"],
    [header("x: a\rb: c"), "a line break in a header"],
    [header("x: a\r\n b"), "a header that continues on the next line"],
    [header("x y: a"), "a header whose name has a space"],
    [header(": a"), "a header without a name"],
    [header("xyz"), "a header without a value"],
    [header("content-length: 3"), "two lengths"],
    [header("content-length: 99999999999999999999999"), "a length beyond all numbers"],
    [header("transfer-encoding: chunked"), "a length and chunks"],
    [header(`x: ${"a".repeat(100_000)}`), "a header of a hundred kilobytes"],
    [poured("HTTP/1.1 102 P\r\n\r\n"), "endless interim answers"],
    [poured("HTTP/1.1 103 P\r\nlink: <a>\r\n\r\n"), "endless hints"],
    [poured("HTTP/1.1 100 P\r\n\r\n"), "endless permission to continue"],
    [poured("a: b\r\n", "HTTP/1.1 200 OK\r\n"), "endless headers"],
    [poured("a", "HTTP/1.1 200 OK\r\nx: "), "one endless header"],
  ]),
  ...rows<RawAnswer, AnswerEnds>({ proxied: 471, fetched: "source_error" }, [
    ["", "nothing"],
    ["HTTP/1.1", "the beginning of a status line"],
    ["HTTP/1.1 200 OK\r\ncontent-len", "half of a header"],
    [(socket) => void socket.resetAndDestroy(), "a reset"],
  ]),
  ...rows<RawAnswer, AnswerEnds>({ proxied: "cut", fetched: "cut" }, [
    ["HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc", "less than was declared"],
    ["HTTP/1.1 200 OK\r\ncontent-length: 18446744073709551615\r\n\r\nabc", "less than the longest length"],
    [chunked("zz\r\nabc"), "a chunk whose length is not a number"],
    [chunked("fffffffffffffffff\r\nabc"), "a chunk beyond all numbers"],
    [chunked("3\r\nabc\r\n0\r\nx: a\u0001y\r\n\r\n"), "a trailer with a control character"],
    [chunked("3\r\nabc\r\n0\r\ncontent-length: 9\r\n\r\n"), "a trailer with a length"],
    [poured("a: b\r\n", chunked("3\r\nabc\r\n0\r\n")), "endless trailers"],
    [
      async (socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc");
        await sleep(20);
        socket.resetAndDestroy();
      },
      "a reset within the body",
    ],
  ]),
  ...rows<RawAnswer, AnswerEnds>({ proxied: 200, fetched: 200 }, [
    [begin("HTTP/1.1 200 a\u0001b"), "a control character in the reason"],
    [begin("HTTP/1.1 200 a\0b"), "a zero byte in the reason"],
    [Buffer.from(begin("HTTP/1.1 200 \u2603")), "a reason in UTF-8"],
    [begin("HTTP/1.1 200"), "no reason"],
    [Buffer.from(header("x: \u2603")), "a header in UTF-8"],
    [header("__proto__: a\r\nconstructor: b"), "headers with the names of an object's own"],
    [header("a: b\r\n".repeat(2500) + "c: d"), "thousands of headers"],
    ["HTTP/1.1 200 OK\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nok", "an offer to upgrade"],
    [`HTTP/1.1 103 Hints\r\nlink: <a>\r\n\r\n${begin("HTTP/1.1 200 OK")}`, "hints before the answer"],
    ["HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nabcHTTP/1.1 200 OK", "more than was declared"],
    ["HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\nabc", "an unknown framing"],
    [chunked("3\r\nabc\r\n0\r\nx: y\r\n\r\n"), "a trailer"],
  ]),
  ...rows<RawAnswer, AnswerEnds>({ proxied: 204, fetched: "unsupported_url" }, [
    [begin("HTTP/1.1 204 N"), "nothing with content"],
  ]),
];
