import { expect } from "vitest";
import { nowRunning } from "./record-requests.ts";

nowRunning(expect.getState().testPath);
