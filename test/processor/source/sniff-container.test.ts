import { readFileSync } from "node:fs";
import { execa } from "execa";
import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { isPadding, sniffContainer, sniffedBytes } from "../../../processor/source/sniff-container.ts";
import { makeMedia, mediaFiles } from "../../../scripts/origin/make-media.ts";
import { testMediaFolder } from "../../origin/test-origin.ts";

beforeAll(() => makeMedia(testMediaFolder));

test.each([
  [mediaFiles.mp4, "mov"],
  [mediaFiles.m4a, "mov"],
  [mediaFiles.webm, "matroska"],
  [mediaFiles.mkv, "matroska"],
  [mediaFiles.mp3, "mp3"],
  [mediaFiles.mp3WithCover, "mp3"],
  ["hls/0-000.ts", "mpegts"],
])("%s is %s", (file, container) => {
  expect(sniffContainer(readFileSync(`${testMediaFolder}/${file}`).subarray(0, sniffedBytes))).toBe(
    container,
  );
});

test.each([mediaFiles.page, mediaFiles.dash, mediaFiles.hls])("%s is not media itself", (file) => {
  expect(sniffContainer(readFileSync(`${testMediaFolder}/${file}`))).toBeNull();
});

const tag = (size: number) =>
  Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, size]), Buffer.alloc(size)]);

const mp3Frame = Buffer.from([0xff, 0xfb, 0x50, 0xc4]);

function packets(first: number, packetBytes: number): Buffer {
  const head = Buffer.alloc(3 * packetBytes, 1);
  for (const packet of [0, 1, 2]) head[first + packet * packetBytes] = 0x47;
  return head;
}

test.each([
  ["an ogg page", Buffer.from("OggS\0\x02"), "ogg"],
  ["flac", Buffer.from("fLaC\0\0\0\x22"), "flac"],
  ["wav", Buffer.from("RIFF\x24\0\0\0WAVEfmt "), "wav"],
  ["a long wav", Buffer.from("RF64\xff\xff\xff\xffWAVEds64", "latin1"), "wav"],
  ["avi", Buffer.from("RIFF\x24\0\0\0AVI LIST"), "avi"],
  ["flv", Buffer.from("FLV\x01\x05"), "flv"],
  ["aiff", Buffer.from("FORM\0\x14\x30\x26AIFFCOMM"), "aiff"],
  ["aiff with a codec", Buffer.from("FORM\0\x14\x30\x26AIFCFVER"), "aiff"],
  ["caf", Buffer.from("caff\0\x01\0\0desc"), "caf"],
  ["asf", Buffer.from("3026b2758e66cf11a6d900aa0062ce6cf702", "hex"), "asf"],
  ["an mpeg program stream", Buffer.from([0, 0, 1, 0xba, 0x44, 0, 4, 0]), "mpeg"],
  ["a transport stream", packets(0, 188), "mpegts"],
  ["a transport stream as on discs", packets(4, 192), "mpegts"],
  ["a transport stream with error correction", packets(0, 204), "mpegts"],
  ["a transport stream of one packet", packets(0, 188).subarray(0, 188), null],
  ["mp3 after zeros", Buffer.concat([Buffer.alloc(417), mp3Frame]), "mp3"],
  ["mp3 after a tag and zeros", Buffer.concat([tag(20), Buffer.alloc(1000), mp3Frame]), "mp3"],
  ["text after zeros", Buffer.concat([Buffer.alloc(417), Buffer.from("only words")]), null],
  ["zeros", Buffer.alloc(4096), null],
  ["a bare mp3 frame", Buffer.from([0xff, 0xfb, 0x90, 0x64]), "mp3"],
  ["a bare ac3 frame", Buffer.from("0b771ef84c402f84", "hex"), "ac3"],
  ["a bare eac3 frame", Buffer.from("0b7700cf7287c000", "hex"), "eac3"],
  ["two bytes of a frame", Buffer.from("0b77", "hex"), null],
  ["a wave64", Buffer.from("726966662e91cf11a5d628db04c1000078b1020000000000", "hex"), "w64"],
  ["a bare aac frame", Buffer.from([0xff, 0xf1, 0x50, 0x80]), "aac"],
  ["aac after a tag", Buffer.concat([tag(20), Buffer.from([0xff, 0xf1, 0x50, 0x80])]), "aac"],
  ["flac after a tag", Buffer.concat([tag(20), Buffer.from("fLaC")]), "flac"],
  ["a tag longer than the bytes read", tag(100).subarray(0, 50), "mp3"],
  ["text after a tag", Buffer.concat([tag(20), Buffer.from("only words")]), null],
  ["a picture", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46]), null],
  ["a byte order mark", Buffer.from("\uFEFF<html>", "utf16le"), null],
  ["a program", Buffer.from("\x7fELF\x02\x01\x01\0"), null],
  ["nothing", Buffer.alloc(0), null],
])("%s is detected", (_, head, container) => {
  expect(sniffContainer(head)).toBe(container);
});

test("audio is recognized after line breaks, or after the rest of a frame", async () => {
  const mp3 = readFileSync(`${testMediaFolder}/${mediaFiles.mp3}`);
  const args = ["-i", `${testMediaFolder}/${mediaFiles.m4a}`, "-c", "copy", "-f", "adts", "pipe:1"];
  const made = await execa("ffmpeg", ["-nostdin", "-v", "error", ...args], { encoding: "buffer" });
  const aac = Buffer.from(made.stdout);
  const sniffBehind = (before: Buffer, sound: Buffer) =>
    sniffContainer(Buffer.concat([before, sound]).subarray(0, sniffedBytes));
  const breaks = Buffer.from("\r\n\r\n");
  expect(sniffBehind(breaks, mp3)).toBe("mp3");
  expect(sniffBehind(breaks, aac)).toBe("aac");
  expect(sniffBehind(Buffer.concat([breaks, tag(100)]), mp3.subarray(mp3.indexOf(0xff)))).toBe("mp3");
  const [first, second] = [mp3.indexOf(Buffer.from([0xff, 0xfb])), 200];
  expect(sniffContainer(mp3.subarray(first + 100).subarray(0, sniffedBytes))).toBe("mp3");
  expect(sniffContainer(aac.subarray(second).subarray(0, sniffedBytes))).toBe("aac");
  expect(sniffBehind(Buffer.from("<b>Warning</b>".repeat(50)), mp3)).toBe("mp3");
});

test.each([
  [Buffer.alloc(4096), true],
  [Buffer.concat([tag(20), Buffer.alloc(100)]), true],
  [Buffer.concat([Buffer.alloc(417), mp3Frame]), false],
  [tag(20), false],
  [Buffer.alloc(0), false],
])("padding is distinguished from anything else (%#)", (head, expected) => {
  expect(isPadding(head)).toBe(expected);
});

test("text is never taken for media, and nothing makes it throw", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 600 }), (words) => {
      fc.pre(!/^(OggS|fLaC|RIFF|FORM|caff|FLV|ID3|.{4}(ftyp|moov|mdat|wide|free|skip|pnot))/s.test(words));
      fc.pre(words[0] !== "G" && words[4] !== "G");
      expect(sniffContainer(Buffer.from(words))).toBeNull();
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => void sniffContainer(Buffer.from(bytes))),
  );
});
