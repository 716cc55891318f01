import { testShapes } from "./shapes.ts";

testShapes(() => true);
