import { Pool } from "undici";

export interface Target {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; null: none. */
  readonly body: string | null;
}

export interface Load {
  /** Concurrent requests. */
  readonly connections: number;
  readonly seconds: number;
}

/**
 * Sends one request after the other on every connection and returns the responses per second. Any response but a 200
 * rejects.
 */
export async function throughputOf(origin: string, target: Target, load: Load): Promise<number> {
  const pool = new Pool(origin, { connections: load.connections });
  const { method, path, headers, body } = target;
  let answers = 0;
  const begun = performance.now();
  const end = begun + load.seconds * 1000;
  const sendUntilEnd = async () => {
    while (performance.now() < end) {
      const answer = await pool.request({ method, path, headers, body });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${target.name} answered ${answer.statusCode}: ${text}`);
      answers += 1;
    }
  };
  await Promise.all(Array.from({ length: load.connections }, sendUntilEnd));
  const seconds = (performance.now() - begun) / 1000;
  await pool.close();
  return answers / seconds;
}
