import { existsSync } from "node:fs";
import { loadEnvFile } from "node:process";

/** Adds the variables of `.env` in the working folder to the environment. Variables that are already set win. */
export function loadDotEnv(): void {
	if (existsSync(".env")) loadEnvFile(".env");
}
