import { join } from "node:path";
import type { Config } from "../config/load-config.ts";

export function resultsFolder({ DATA_DIR }: Pick<Config, "DATA_DIR">): string {
	return join(DATA_DIR, "results");
}
