import { z } from "zod";
import {
  CannotDecrypt,
  decrypt,
  encrypt,
  encryptedPrefix,
  type EncryptionKeys,
} from "../../edge/encryption/encrypt.ts";
import type { Database } from "../local-system/database.ts";
import { type Reencrypt, type SecretHolder, secretHolders } from "./secret-holders.ts";

/** The result for secrets of one kind. */
export interface Reencrypted {
  readonly name: string;
  /** Rows that were re-encrypted. */
  readonly rewritten: number;
  /** Ids of rows that none of the keys can decrypt. */
  readonly unreadable: readonly (number | string)[];
  /** Rows, including unreadable ones, that still need a previous key: none once that can be removed. */
  readonly left: number;
}

/** Rows per page: their old and new texts have to fit into a program's argument. */
const pageRows = 20;
const idSchema = z.object({ id: z.union([z.int(), z.string()]) });

/**
 * Re-encrypts every stored secret with the first of the keys. A page is one transaction that changes only rows that are
 * still as they were read, so it can be repeated, can die at any point, and loses nothing written in the meantime.
 */
export async function reencryptSecrets(database: Database, keys: EncryptionKeys): Promise<Reencrypted[]> {
  const [newest] = keys;
  if (newest === undefined) throw new Error("There is no key to encrypt with");
  const prefix = await encryptedPrefix(newest);
  const reencrypt: Reencrypt = async (text, context) =>
    text.startsWith(prefix) ? text : encrypt(keys, await decrypt(keys, text, context), context);
  const outcomes: Reencrypted[] = [];
  for (const holder of secretHolders)
    outcomes.push(await reencryptHolder(database, holder, prefix, reencrypt));
  return outcomes;
}

async function reencryptHolder(
  database: Database,
  holder: SecretHolder,
  prefix: string,
  reencrypt: Reencrypt,
): Promise<Reencrypted> {
  const unreadable: (number | string)[] = [];
  let rewritten = 0;
  let after = holder.first;
  for (;;) {
    const [rows = []] = await database.execute([`${holder.select(prefix, after)} LIMIT ${pageRows}`]);
    const updates: string[] = [];
    for (const row of rows) {
      after = idSchema.parse(row).id;
      try {
        updates.push(`${await holder.rewrite(row, reencrypt)} RETURNING id`);
      } catch (error) {
        if (!(error instanceof CannotDecrypt)) throw error;
        unreadable.push(after);
      }
    }
    const written = updates.length === 0 ? [] : await database.execute(updates);
    rewritten += written.flat().length;
    if (rows.length < pageRows) break;
  }
  const [[counted] = []] = await database.execute([
    `SELECT count(*) AS count FROM (${holder.select(prefix, holder.first)})`,
  ]);
  return { name: holder.name, rewritten, unreadable, left: Number(counted?.["count"]) };
}
