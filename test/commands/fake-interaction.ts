import { PermissionsBitField } from "discord.js";

const GUARDS = [
	"isChatInputCommand",
	"isAutocomplete",
	"isMessageContextMenuCommand",
	"isMessageComponent",
	"isModalSubmit",
	"isButton",
	"isStringSelectMenu",
	"isChannelSelectMenu",
] as const;

/**
 * An interaction as discord.js creates it, by default of a member without permissions; `is` names its kinds. Its type is
 * `never`, which fits every parameter.
 */
export function fakeInteraction(
	is: readonly (typeof GUARDS)[number][],
	{ permissions = 0n, ...fields }: { readonly permissions?: bigint; readonly [field: string]: unknown },
): never {
	const interaction: unknown = {
		id: "1",
		guildId: "1000000000000000010",
		channelId: "50",
		applicationId: "2",
		locale: "en-US",
		user: { id: "7" },
		member: { roles: [] },
		memberPermissions: new PermissionsBitField(permissions),
		inGuild: () => true,
		fields: { fields: new Map() },
		...Object.fromEntries(GUARDS.map((guard) => [guard, () => is.includes(guard)])),
		deferReply: async () => undefined,
		deferUpdate: async () => undefined,
		...fields,
	};
	return interaction as never;
}

/** The options of a command as discord.js reads them. A chosen user, role or channel is the id in `values`. */
export function fakeOptions(values: Readonly<Record<string, unknown>>, subcommand = "", focused = "") {
	const read = (name: string) => values[name] ?? null;
	const readWithId = (name: string) => (name in values ? { id: values[name] } : null);
	return {
		getSubcommand: () => subcommand,
		getInteger: read,
		getString: read,
		getBoolean: read,
		getUser: readWithId,
		getRole: readWithId,
		getChannel: readWithId,
		get: (name: string) => (name in values ? { value: values[name] } : null),
		getFocused: (full = false) => (full ? { name: focused, value: "" } : ""),
	};
}
