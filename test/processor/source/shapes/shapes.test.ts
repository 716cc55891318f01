import { testShapes } from "./shapes.ts";

// Those that stand for the others, which the long run compares.
testShapes(({ isTypical }) => isTypical === true);
