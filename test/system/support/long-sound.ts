import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";

const rate = 48_000;
const channels = 2;
const sampleBytes = 2;

/**
 * Writes a WAV file with this many bytes of audio, for multipart uploads. Needs no program.
 */
export async function writeLongSound(path: string, soundBytes: number): Promise<void> {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + soundBytes, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * channels * sampleBytes, 28);
  header.writeUInt16LE(channels * sampleBytes, 32);
  header.writeUInt16LE(8 * sampleBytes, 34);
  header.write("data", 36);
  header.writeUInt32LE(soundBytes, 40);
  await writeFile(path, Buffer.concat([header, randomBytes(soundBytes)]));
}
