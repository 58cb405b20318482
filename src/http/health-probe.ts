import type { Config } from "../config/load-config.ts";
import { originOfListener } from "./server-origin.ts";
import { USER_AGENT } from "@atelier/common/user-agent";

const ANSWER_TIMEOUT_MS = 2_000;

/** Returns the URL that reaches a process of this configuration from this machine. */
export function originOf({ HOST, PORT }: Pick<Config, "HOST" | "PORT">): string {
	return originOfListener({ host: HOST, port: PORT });
}

/** Returns whether a process of this configuration runs. */
export async function isRunning(config: Pick<Config, "HOST" | "PORT">): Promise<boolean> {
	try {
		const response = await fetch(`${originOf(config)}/livez`, {
			headers: { "user-agent": USER_AGENT },
			signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
		});
		// Counts a stuck process as running.
		return (await response.text()).includes("alive");
	} catch {
		return false;
	}
}
