import { isLoopback } from "../http/server-origin.ts";

const DISCORD_FILE_ORIGINS = ["https://cdn.discordapp.com", "https://media.discordapp.net"];
const LOOPBACK_HOSTS = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Lists the origins of attachments: Discord's own, and that of the stand-in at `apiUrl`, which serves its files beside
 * its API. On this machine the stand-in may use another host name than `apiUrl`.
 */
export function discordFileOrigins(apiUrl: string | undefined): readonly string[] {
	if (apiUrl === undefined) return DISCORD_FILE_ORIGINS;
	const { protocol, hostname, port, origin } = new URL(apiUrl);
	if (!isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"))) return [...DISCORD_FILE_ORIGINS, origin];
	const names = new Set([hostname, ...LOOPBACK_HOSTS]);
	return [...DISCORD_FILE_ORIGINS, ...[...names].map((name) => new URL(`${protocol}//${name}:${port}`).origin)];
}
