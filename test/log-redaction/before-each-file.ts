/** Tells the log check which test file is running. */
import { expect } from "vitest";
import { setCurrentTestPath } from "./capture-logs.ts";

setCurrentTestPath(expect.getState().testPath);
