import type { TestProject } from "vitest/node";
import { startTestOrigin } from "../../origin/test-origin.ts";
import { startTwoAccountSystem } from "../../system/support/two-account-system.ts";
import { type GivenTarget, targetSchema } from "./target-schema.ts";

/** Finds or starts the system that the conformance tests use, and stops what it started. */
export default async function provideTarget(project: TestProject): Promise<() => Promise<void>> {
  const given = readGivenTarget();
  const system = given === null ? await startTwoAccountSystem() : null;
  const origin = given?.origin ? null : await startTestOrigin();
  project.provide("conformanceTarget", {
    url: given?.url ?? system?.url ?? "",
    key: given?.key ?? system?.apiKey ?? "",
    otherKey: given === null ? (system?.otherApiKey ?? null) : given.otherKey,
    origin: given?.origin ?? origin?.url ?? "",
    isOnThisMachine: origin !== null,
  });
  return async () => {
    await system?.stop();
    await origin?.close();
  };
}

function readGivenTarget(): GivenTarget | null {
  const text = process.env["FERRY_CONFORMANCE"];
  return text ? targetSchema.parse(JSON.parse(text)) : null;
}
