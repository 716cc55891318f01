import { inject } from "vitest";
import { createAccount } from "./test-system.ts";

interface SharedSystem {
  readonly url: string;
  readonly storageUrl: string;
  readonly stateDir: string;
  /** Where the node asks for the feeds of Apple's shows; nothing listens there until a test does. */
  readonly lookupPort: number;
}

declare module "vitest" {
  export interface ProvidedContext {
    sharedSystem: SharedSystem;
  }
}

/** The system that all files share, with a new account. */
export async function useSharedSystem(accountName: string): Promise<SharedSystem & { apiKey: string }> {
  const system = inject("sharedSystem");
  return { ...system, apiKey: await createAccount(system, accountName) };
}
