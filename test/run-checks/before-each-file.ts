/** Tells the checks of the run which test file is running. */
import { expect } from "vitest";
import { setCurrentTestPath } from "./record-run.ts";

setCurrentTestPath(expect.getState().testPath);
