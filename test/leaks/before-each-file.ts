import { expect } from "vitest";
import { nowWatching } from "./watch-logs.ts";

nowWatching(expect.getState().testPath);
