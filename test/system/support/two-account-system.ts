import { createAccount, startTestSystem, type TestSystem } from "./test-system.ts";

export interface TwoAccountSystem extends TestSystem {
  /** Of an account that has nothing to do with the first. */
  readonly otherApiKey: string;
}

/** A system with fresh state and a second account. */
export async function startTwoAccountSystem(): Promise<TwoAccountSystem> {
  const system = await startTestSystem();
  return { ...system, otherApiKey: await createAccount(system, "other") };
}
