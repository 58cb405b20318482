import { expect } from "vitest";
import { nowRunning } from "./note-requests.ts";

nowRunning(expect.getState().testPath);
