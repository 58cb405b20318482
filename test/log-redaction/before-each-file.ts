import { expect } from "vitest";
import { nowWatching } from "./capture-logs.ts";

nowWatching(expect.getState().testPath);
