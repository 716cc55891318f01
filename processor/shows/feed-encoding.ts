/**
 * The character encoding of a feed, by its first bytes and its Content-Type, as a label that TextDecoder knows. In this
 * order: a byte order mark or the zeros of UTF-16; UTF-8 if the bytes prove it, since many servers declare the wrong
 * one; the header; the XML declaration; UTF-8, or windows-1252 if it cannot be.
 */
export function feedEncoding(head: Buffer, contentType: string | undefined): string {
  const utf16 = utf16ByteOrder(head);
  if (utf16 !== null) return utf16;
  const isAscii = head.every((byte) => byte < 0x80);
  if (provesUtf8(head)) return "utf-8";
  const declared = [charsetOf(contentType), declaredEncoding(head)].find(isByteEncoding);
  return declared ?? (isAscii ? "utf-8" : "windows-1252");
}

function utf16ByteOrder([first = 1, second = 1]: Buffer): "utf-16le" | "utf-16be" | null {
  if ((first === 0xff && second === 0xfe) || second === 0) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || first === 0) return "utf-16be";
  return null;
}

/** True if it contains multi-byte characters, or a byte order mark, and all but possibly the last are complete. */
function provesUtf8(head: Buffer): boolean {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(head, { stream: true });
    return /\P{ASCII}/u.test(text);
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function charsetOf(contentType = ""): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
}

function declaredEncoding(head: Buffer): string | undefined {
  return /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)["']/.exec(head.toString("latin1", 0, 1024))?.[1];
}

/** Known, and ASCII-compatible: the bytes have shown that it is not UTF-16. */
function isByteEncoding(label: string | undefined): label is string {
  if (label === undefined) return false;
  try {
    return !new TextDecoder(label).encoding.startsWith("utf-16");
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
