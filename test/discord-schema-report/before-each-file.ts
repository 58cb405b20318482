import { expect } from "vitest";
import { currentTestPath } from "./record-requests.ts";

currentTestPath(expect.getState().testPath);
