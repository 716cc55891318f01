import { inject } from "vitest";
import type { Target } from "./target-schema.ts";

declare module "vitest" {
  export interface ProvidedContext {
    conformanceTarget: Target;
  }
}

export const target = inject("conformanceTarget");

/** The address of a source. */
export const media = (path: string): string => `${target.origin}/${path}`;
