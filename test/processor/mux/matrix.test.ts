import { testOutputs } from "./matrix.ts";

const encoded = new Set<string>();

// Whatever copies a stream depends on the source. An encoding of everything does not: each is tried on one source here,
// and on all of them in the long run.
testOutputs((plans, shape) =>
  plans.filter((plan) => {
    if (shape(plan).includes("copy")) return true;
    const isNew = !encoded.has(shape(plan));
    encoded.add(shape(plan));
    return isNew;
  }),
);
