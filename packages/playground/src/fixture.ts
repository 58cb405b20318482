/** A fixture: the users, guilds and application that a new playground starts with. */
import { readFile } from "node:fs/promises";
import { Locale, PermissionFlagsBits } from "discord-api-types/v10";
import { z } from "zod";
import { PRIVILEGED_INTENTS } from "./simulator/privileged-intents.ts";
import { OperatorError } from "@atelier/common/operator-error";

const PERMISSION_NAMES = Object.keys(PermissionFlagsBits) as (keyof typeof PermissionFlagsBits)[];

/** Ids of earlier times have fewer than the 17 digits that libraries expect. */
const FIRST_ACCOUNT_MS = Date.UTC(2015, 1);

const name = z.string().min(1).max(100);
const locale = z.literal(Object.values(Locale) as `${Locale}`[]);
const usernames = z.array(z.string()).max(1_000);

/** A channel's own rule for a role, which is a name, `@everyone`, or `bot` for that of the bot. */
const Overwrite = z.strictObject({
	role: z.string(),
	allow: z.array(z.literal(PERMISSION_NAMES)).default([]),
	deny: z.array(z.literal(PERMISSION_NAMES)).default([]),
});

const Fixture = z.strictObject({
	application: z.strictObject({
		name,
		description: z.string().max(400).default(""),
		/** Permissions of the bot's role beyond those of @everyone. */
		permissions: z.array(z.literal(PERMISSION_NAMES)).default([]),
		/** The names of the items for sale. Each is a consumable. */
		items: z.array(name).max(50).default([]),
		/** The privileged intents that are enabled; the gateway rejects the others with 4014. */
		privilegedIntents: z.array(z.literal(PRIVILEGED_INTENTS)).default(PRIVILEGED_INTENTS),
	}),
	/** The first one is the user of a page that names none. */
	users: z
		.array(
			z.strictObject({
				username: z.string().regex(/^[a-z0-9_.]{2,32}$/, { error: "expected 2 to 32 of a-z, 0-9, _ and ." }),
				displayName: name,
				/** The locale of the user's Discord; en-US by default. */
				locale: locale.optional(),
				/** The age of the account, which ids contain: by default two years before the start. */
				createdAt: z
					.union([z.iso.date(), z.iso.datetime({ offset: true })])
					.refine((at) => Date.parse(at) >= FIRST_ACCOUNT_MS, { error: "expected a time from 2015-02-01 on" })
					.optional(),
			}),
		)
		.min(1),
	/** The first one is the guild of a page that names none. */
	guilds: z
		.array(
			z.strictObject({
				name,
				locale: locale.optional(),
				boostLevel: z.literal([0, 1, 2, 3]).optional(),
				/** Usernames; the first one owns the guild. */
				members: usernames.min(1),
				roles: z
					.array(
						z.strictObject({
							name,
							/** Usernames. */
							members: usernames.default([]),
							/** Permissions beyond those of @everyone. */
							permissions: z.array(z.literal(PERMISSION_NAMES)).default([]),
						}),
					)
					.default([]),
				channels: z
					.array(
						z.strictObject({
							name,
							topic: z.string().max(1_024).default(""),
							isAgeRestricted: z.boolean().optional(),
							overwrites: z.array(Overwrite).max(100).default([]),
						}),
					)
					.min(1),
			}),
		)
		.min(1)
		.max(100),
});

/** A fixture as its author writes it; fields with defaults are optional. */
export type Fixture = z.input<typeof Fixture>;
export type ParsedFixture = z.output<typeof Fixture>;

/** A fixture that breaks a rule. The message names each problem. */
export class FixtureError extends OperatorError {
	override readonly name = "FixtureError";
}

/** Checks a fixture and adds its defaults. Throws `FixtureError`. */
export function parseFixture(value: unknown): ParsedFixture {
	const parsed = Fixture.safeParse(value);
	if (!parsed.success) throw new FixtureError(z.prettifyError(parsed.error));
	const problems = [...referenceProblems(parsed.data)];
	if (problems.length > 0) throw new FixtureError(problems.join("\n"));
	return parsed.data;
}

function* referenceProblems({ users, guilds }: ParsedFixture): Generator<string> {
	const known = new Set(users.map(({ username }) => username));
	if (known.size < users.length) yield "two users have the same username";
	for (const guild of guilds) {
		const members = new Set(guild.members);
		for (const username of members)
			if (!known.has(username)) yield `guild "${guild.name}": no user has the username "${username}"`;
		for (const role of guild.roles)
			for (const username of role.members)
				if (!members.has(username)) yield `guild "${guild.name}", role "${role.name}": "${username}" is not a member`;
		const roles = ["@everyone", "bot", ...guild.roles.map((role) => role.name)];
		for (const channel of guild.channels)
			for (const { role } of channel.overwrites) {
				const count = roles.filter((each) => each === role).length;
				const problem = count === 0 ? "there is no role" : "there are several roles";
				if (count !== 1) yield `guild "${guild.name}", channel "${channel.name}": ${problem} "${role}"`;
			}
	}
}

/** Reads a fixture from a JSON file. Throws `FixtureError`, which names the file. */
export async function readFixture(file: string): Promise<Fixture> {
	try {
		return parseFixture(JSON.parse(await readFile(file, "utf8")));
	} catch (cause) {
		if (!(cause instanceof Error)) throw cause;
		throw new FixtureError(`Cannot use the fixture ${file}: ${cause.message}`, { cause });
	}
}

/** The bot may still respond to interactions. */
const READ_ONLY_FOR_BOT: z.input<typeof Overwrite> = {
	role: "bot",
	deny: ["SendMessages", "SendMessagesInThreads", "CreatePublicThreads", "CreatePrivateThreads"],
};

/** Two guilds, one for each of two shards; the second one is German, boosted, and has another owner. */
export const DEFAULT_FIXTURE: Fixture = {
	application: {
		name: "Atelier",
		description: "Makes images, videos and music.",
		items: ["100 credits", "500 credits"],
	},
	users: [
		{ username: "robin", displayName: "Robin" },
		{ username: "ada", displayName: "Ada" },
		{ username: "grace", displayName: "Grace" },
		{ username: "lena", displayName: "Lena", locale: "de" },
		{ username: "yuki", displayName: "Yuki", locale: "ja" },
		{ username: "emil", displayName: "Emil", locale: "de" },
		{ username: "clara", displayName: "Clara", locale: "fr" },
	],
	guilds: [
		{
			name: "Atelier Playground",
			members: ["robin", "ada", "grace", "lena", "yuki"],
			roles: [
				{ name: "Artists", members: ["ada", "grace"] },
				{ name: "Patrons", members: ["ada"] },
				{ name: "Moderators", members: ["lena"], permissions: ["ManageMessages", "ModerateMembers"] },
			],
			channels: [
				{ name: "general", topic: "Try the commands here" },
				{ name: "gallery", topic: "For the ones worth keeping" },
				{ name: "after-dark", topic: "For adults only", isAgeRestricted: true },
				{ name: "notices", topic: "The bot may not post here", overwrites: [READ_ONLY_FOR_BOT] },
			],
		},
		{
			name: "Werkstatt Nord",
			locale: "de",
			boostLevel: 2,
			members: ["lena", "robin", "emil", "clara"],
			roles: [
				{ name: "Meister", members: ["emil"], permissions: ["ManageMessages", "ModerateMembers"] },
				{ name: "Lehrlinge", members: ["robin", "clara"] },
			],
			channels: [
				{ name: "werkbank", topic: "Hier entsteht etwas" },
				{ name: "nachtschicht", topic: "Nur für Erwachsene", isAgeRestricted: true },
				{ name: "aushang", topic: "Hier darf der Bot nicht schreiben", overwrites: [READ_ONLY_FOR_BOT] },
			],
		},
	],
};
