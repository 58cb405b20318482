import type { StartedPlayground } from "./start-playground.ts";

type Settings = Pick<StartedPlayground, "origin" | "apiUrl" | "botToken" | "applicationId" | "clientSecret">;

/** Lists what a bot needs to connect, for a terminal. */
export function connectionSettings(playground: Settings): string {
	return [
		`Page            ${playground.origin}/`,
		`API address     ${playground.apiUrl}      (with the version: ${playground.apiUrl}/v10)`,
		`Bot token       ${playground.botToken}`,
		`Application id  ${playground.applicationId}`,
		`Client secret   ${playground.clientSecret}`,
		"The bot has the permissions of @everyone; grant more in the admin panel.",
		"Press Ctrl-C to stop.",
	].join("\n");
}
