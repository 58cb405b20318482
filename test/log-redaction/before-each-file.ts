import { expect } from "vitest";
import { currentTestPath } from "./capture-logs.ts";

currentTestPath(expect.getState().testPath);
