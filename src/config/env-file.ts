import { existsSync } from "node:fs";
import { loadEnvFile } from "node:process";

/** Adds what stands in `.env` beside the working folder to the environment; what is set there already stays as it is. */
export function readEnvFile(): void {
	if (existsSync(".env")) loadEnvFile(".env");
}
