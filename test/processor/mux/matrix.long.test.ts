import { testOutputs } from "./matrix.ts";

testOutputs((plans) => plans);
