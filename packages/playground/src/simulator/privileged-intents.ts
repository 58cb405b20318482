/** The privileged intents of the application, which its author enables on Discord's page for developers. */
import { ApplicationFlags, GatewayIntentBits } from "discord-api-types/v10";

/** Each with its flag of an application in fewer than a hundred guilds. */
const PRIVILEGED = {
	GuildPresences: ApplicationFlags.GatewayPresenceLimited,
	GuildMembers: ApplicationFlags.GatewayGuildMembersLimited,
	MessageContent: ApplicationFlags.GatewayMessageContentLimited,
} as const;

export type PrivilegedIntent = keyof typeof PRIVILEGED;
export const PRIVILEGED_INTENTS = Object.keys(PRIVILEGED) as PrivilegedIntent[];

export function applicationFlags(enabled: readonly PrivilegedIntent[]): number {
	return enabled.reduce((flags, name) => flags | PRIVILEGED[name], 0);
}

/** Returns whether the intents include a privileged one that is not enabled. */
export function hasDisallowed(intents: number, enabled: readonly PrivilegedIntent[]): boolean {
	return PRIVILEGED_INTENTS.some((name) => (intents & GatewayIntentBits[name]) !== 0 && !enabled.includes(name));
}
