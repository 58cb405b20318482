import { join } from "node:path";
import { z } from "zod";
import { findSecret } from "@atelier/common/secrets";
import { PROFILE_NAMES } from "@atelier/media-protocol/profiles";
import { createSealing } from "@atelier/store/encryption";

const MINUTE_MS = 60_000;
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const SEALING_KEY_BYTES = 32;

/** A day: a service that takes longer is not one that a person waits for in a chat. */
const DEADLINE_MINUTES_MAX = 24 * 60;

const httpUrl = (example: string) =>
	z.url({ protocol: /^https?$/, error: `expected an http or https address, such as ${example}` });

const wholeNumber = (min: number, max: number) => {
	const error = `expected a whole number from ${min} to ${max}`;
	return z
		.string()
		.regex(/^\d+$/, { error })
		.transform(Number)
		.refine((number) => number >= min && number <= max, { error });
};

/** What can stand in an HTTP header: printable, and no blank. */
const secret = (expected: string) => {
	const error = `expected ${expected}, without blanks and in plain letters, digits and signs`;
	return z.string().regex(/^[\x21-\x7e]+$/, { error });
};

/** Of 32 bytes each, as `openssl rand -base64 32` makes them. */
const sealingKeys = z.string().transform((text, context) => {
	const keys = text.split(",").map((each) => Buffer.from(each.trim(), "base64"));
	const [first, ...rest] = keys;
	if (first && keys.every(({ byteLength }) => byteLength === SEALING_KEY_BYTES)) return createSealing([first, ...rest]);
	const message =
		"expected keys of 32 bytes in base64, as `openssl rand -base64 32` makes them, with commas between them";
	context.addIssue({ code: "custom", message });
	return z.NEVER;
});

const originList = z
	.string()
	.transform((text) => text.split(/[\s,]+/).filter((origin) => origin !== ""))
	.refine((origins) => origins.every((origin) => /^https?:$/.test(URL.parse(origin)?.protocol ?? "")), {
		error: "expected http or https addresses, such as http://10.0.0.7:9000, with commas between them",
	})
	.transform((origins) => origins.map((origin) => new URL(origin).origin));

const shardList = z
	.string()
	.refine((text) => text === "auto" || text.split(",").every(isShardRange), {
		error: "expected auto, or shards such as 0-3 or 0,2,5",
	})
	.transform((text) => (text === "auto" ? "auto" : [...new Set(text.split(",").flatMap(expandRange))]));

/** Beside them stands the button by which they are added, and a row holds five. */
const TOP_UP_ITEMS_MAX = 4;
const TOP_UP_CREDITS_MAX = 1_000_000_000;

/** `SKU_ID:CREDITS[,SKU_ID:CREDITS…]`: each fault is named by what stands there. */
const topUpItems = z.string().transform((text, context) => {
	const fault = (message: string): void => context.addIssue({ code: "custom", message });
	const entries = text.split(",").map((entry) => entry.trim());
	const items = entries.flatMap((entry) => {
		const [, skuId = "", digits = ""] = /^([1-9]\d{16,19}):([1-9]\d{0,9})$/.exec(entry) ?? [];
		const credits = Number(digits);
		if (skuId !== "" && credits <= TOP_UP_CREDITS_MAX) return [{ skuId, credits }];
		fault(`expected SKU_ID:CREDITS, such as 1234567890123456789:500, in place of "${entry.slice(0, 60)}"`);
		return [];
	});
	const ids = items.map(({ skuId }) => skuId);
	const twice = new Set(ids.filter((skuId, index) => ids.indexOf(skuId) !== index));
	for (const skuId of twice) fault(`expected each item once, and ${skuId} stands there twice`);
	if (entries.length > TOP_UP_ITEMS_MAX) fault(`expected at most ${TOP_UP_ITEMS_MAX} items`);
	return items;
});

/** What each is for is said in `variables.ts`, of which the documentation is made. */
export const environment = z.object({
	DISCORD_TOKEN: secret("the bot's token, as the developer portal shows it").optional(),
	DISCORD_API_URL: httpUrl("https://discord.com/api").optional(),
	DISCORD_REQUESTS_PER_SECOND: wholeNumber(1, 10_000).default(50),
	MEDIA_API_URL: httpUrl("https://media.example.com").optional(),
	MEDIA_API_KEY: secret("the key of the service").optional(),
	MEDIA_API_PROFILE: z
		.enum(PROFILE_NAMES, { error: `expected one of ${PROFILE_NAMES.join(", ")}` })
		.default("specification"),
	MEDIA_CATALOGUE: z.string().optional(),
	STUDIO_ENGINES: z.string().optional(),
	MEDIA_API_LOOKS_PER_SECOND: wholeNumber(1, 100_000).default(20),
	PUBLIC_URL: httpUrl("https://bot.example.com").optional(),
	STUDIO_URL: httpUrl("https://studio.example.com").optional(),
	STORE_URL: z
		.string()
		.refine(isStoreUrl, {
			error: "expected sqlite:PATH, redis://…, rediss://…, postgres://…, postgresql://… or memory:",
		})
		.optional(),
	QUEUE_URL: z
		.string()
		.refine(isRedisUrl, { error: "expected redis://… or rediss://…, or nothing for a queue in this process" })
		.optional(),
	PROMPT_KEYS: sealingKeys.optional(),
	MEDIA_ORIGINS: originList.default([]),
	RESULTS_MAX_MB: wholeNumber(100, 100_000_000).default(2048),
	GUILD_CREDITS: wholeNumber(0, 1_000_000_000).default(500),
	CREDITS_GRANTED_BY: z.enum(["managers", "operator"], { error: "expected managers or operator" }).default("managers"),
	TOP_UP_ITEMS: topUpItems.default([]),
	MODERATION_URL: httpUrl("https://moderation.example.com/judge").optional(),
	MODERATION_API_KEY: secret("the key of the moderation service").optional(),
	MODERATION_FAILURE: z.enum(["allow", "refuse"], { error: "expected allow or refuse" }).default("refuse"),
	IMAGE_DEADLINE_MINUTES: wholeNumber(1, DEADLINE_MINUTES_MAX).default(10),
	MUSIC_DEADLINE_MINUTES: wholeNumber(1, DEADLINE_MINUTES_MAX).default(30),
	VIDEO_DEADLINE_MINUTES: wholeNumber(1, DEADLINE_MINUTES_MAX).default(60),
	TASK_RETENTION_DAYS: wholeNumber(1, 3650).default(30),
	HOST: z
		.string()
		.regex(/^\S+$/, { error: "expected an address of this machine, such as 127.0.0.1 or 0.0.0.0" })
		.default("127.0.0.1"),
	PORT: wholeNumber(0, 65_535).default(8080),
	PLAYGROUND_REACH: z.enum(["machine", "network"], { error: "expected machine or network" }).default("machine"),
	METRICS_HOST: z
		.string()
		.regex(/^\S+$/, { error: "expected an address of this machine, such as 127.0.0.1 or 0.0.0.0" })
		.default("127.0.0.1"),
	METRICS_PORT: wholeNumber(0, 65_535).optional(),
	SHARDS: shardList.default("auto"),
	SHARD_COUNT: z
		.union([z.literal("auto"), wholeNumber(1, 100_000)], { error: "expected auto, or a whole number from 1 to 100000" })
		.default("auto"),
	LOG_LEVEL: z.enum(LOG_LEVELS, { error: `expected one of ${LOG_LEVELS.join(", ")}` }).default("info"),
	DATA_DIR: z.string().regex(/\S/, { error: "expected a folder" }).default("./data"),
});

const DEFAULTS: Readonly<Record<string, unknown>> = environment.parse({});

/** The deadlines of the media, as tasks take them. */
export function deadlinesOf(config: Config): Readonly<Record<"image" | "music" | "video", number>> {
	return {
		image: config.IMAGE_DEADLINE_MINUTES * MINUTE_MS,
		music: config.MUSIC_DEADLINE_MINUTES * MINUTE_MS,
		video: config.VIDEO_DEADLINE_MINUTES * MINUTE_MS,
	};
}

/** Discord's own have three times as many. */
const DISCORD_TOKEN_CHARS_MIN = 20;

/** Tells whether the token looks cut off. Only Discord, or its stand-in, knows whether it is one. */
export function isTokenShort({ DISCORD_TOKEN }: Config): boolean {
	return DISCORD_TOKEN !== undefined && DISCORD_TOKEN.length < DISCORD_TOKEN_CHARS_MIN;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What one variable asks of another. */
const COMPANIONS = [
	{ set: "DISCORD_API_URL", missing: "DISCORD_TOKEN", expected: "a token, because DISCORD_API_URL is set" },
	{ set: "MEDIA_API_URL", missing: "MEDIA_API_KEY", expected: "the key of the service, because MEDIA_API_URL is set" },
	{
		set: "MEDIA_API_KEY",
		missing: "MEDIA_API_URL",
		expected: "the address of the service, because MEDIA_API_KEY is set",
	},
	{
		set: "MEDIA_API_PROFILE",
		missing: "MEDIA_API_URL",
		expected: "the address of the service, because MEDIA_API_PROFILE describes it",
	},
	{
		set: "MEDIA_CATALOGUE",
		missing: "MEDIA_API_URL",
		expected: "the address of the service, because MEDIA_CATALOGUE lists its models",
	},
	{
		set: "MEDIA_ORIGINS",
		missing: "MEDIA_API_URL",
		expected: "the address of the service, because MEDIA_ORIGINS names where its files are",
	},
	{
		set: "MODERATION_API_KEY",
		missing: "MODERATION_URL",
		expected: "the address of the moderation service, because MODERATION_API_KEY is set",
	},
	{
		set: "MODERATION_FAILURE",
		missing: "MODERATION_URL",
		expected: "the address of the moderation service, because MODERATION_FAILURE is set",
	},
	{ set: "SHARDS", missing: "SHARD_COUNT", expected: "the number of all shards, because SHARDS names some of them" },
] as const;

type Parsed = z.infer<typeof environment>;

/** What a file may bring in place of the environment, as `NAME_FILE`: addresses of servers have passwords in them. */
export const SECRETS = [
	"DISCORD_TOKEN",
	"MEDIA_API_KEY",
	"STORE_URL",
	"QUEUE_URL",
	"MODERATION_API_KEY",
	"PROMPT_KEYS",
] as const satisfies readonly (keyof Parsed)[];

/** Every variable that is read, the files of secrets included. */
export const variableNames: readonly string[] = [
	...Object.keys(environment.shape),
	...SECRETS.map((name) => `${name}_FILE`),
];

export type Config = Readonly<Parsed & { STORE_URL: string }>;

/** What is wrong with the configuration, all of it, in words for the person who wrote it. */
export class ConfigFault extends Error {
	override readonly name = "ConfigFault";
}

/** The environment as a checked configuration. Throws one `ConfigFault` that names every variable at fault. */
export function loadConfig(env: Environment): Config {
	const secrets = Object.fromEntries(SECRETS.map((name) => [name, findSecret(env, name)]));
	const given = withoutUnset({
		...env,
		...Object.fromEntries(Object.entries(secrets).map(([name, found]) => [name, "text" in found ? found.text : ""])),
	});
	const parsed = environment.safeParse(given);
	const isGiven = (name: string): boolean => isSet(name, given[name]) || isSet(name, env[`${name}_FILE`]);
	const faults = [
		...Object.values(secrets).flatMap((found) => ("fault" in found ? [`${found.name}: ${found.fault}`] : [])),
		// What is wrong with a secret is said of the variable that brought it.
		...(parsed.error?.issues ?? []).map(({ path: [name = ""], message }) => {
			return `${secrets[String(name)]?.name ?? String(name)}: ${message}`;
		}),
		...COMPANIONS.filter(({ set, missing }) => isGiven(set) && !isGiven(missing)).map(
			({ missing, expected }) => `${missing}: expected ${expected}`,
		),
		...(parsed.success ? shardFaults(parsed.data) : []),
		...(isGiven("STUDIO_ENGINES") && isGiven("MEDIA_API_URL")
			? ["STUDIO_ENGINES: expected nothing, because MEDIA_API_URL names a service in place of the studio"]
			: []),
	];
	if (parsed.success && faults.length === 0) {
		// The table of docs/running.md: everything durable is in DATA_DIR, unless somebody says otherwise.
		return { ...parsed.data, STORE_URL: parsed.data.STORE_URL ?? `sqlite:${join(parsed.data.DATA_DIR, "atelier.db")}` };
	}
	// Two rules may ask for the same variable: the first says enough.
	const named = faults.filter((fault, index) => index === faults.findIndex((other) => isSameVariable(other, fault)));
	throw new ConfigFault(
		`Cannot start: check the environment or .env\n${named.map((fault) => `  ${fault}`).join("\n")}`,
	);
}

/** An empty variable is one that is not set: `.env` files and container settings leave such lines behind. */
function withoutUnset(env: Environment): Environment {
	return Object.fromEntries(Object.entries(env).filter(([, text]) => text !== undefined && text !== ""));
}

/** Who says what holds anyway has said nothing that asks for more. */
function isSet(name: string, text = ""): boolean {
	return text !== "" && text !== String(DEFAULTS[name]);
}

function isSameVariable(one: string, other: string): boolean {
	return one.split(":", 1)[0] === other.split(":", 1)[0];
}

function shardFaults({ SHARDS, SHARD_COUNT }: Parsed): readonly string[] {
	if (SHARDS === "auto" || SHARD_COUNT === "auto") return [];
	const beyond = SHARDS.filter((shard) => shard >= SHARD_COUNT);
	return beyond.length === 0
		? []
		: [`SHARDS: expected shards from 0 to ${SHARD_COUNT - 1}, because SHARD_COUNT is ${SHARD_COUNT}`];
}

function isShardRange(text: string): boolean {
	const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
	return first !== undefined && Number(first) <= Number(last);
}

/** Why other processes may serve the same bot beside this one; `undefined` where this one is alone. */
export function whySeveral({ SHARDS, SHARD_COUNT, QUEUE_URL }: Config): string | undefined {
	if (SHARDS !== "auto" && SHARD_COUNT !== "auto" && new Set(SHARDS).size < SHARD_COUNT) {
		return "SHARDS names some of the shards";
	}
	return QUEUE_URL === undefined ? undefined : "QUEUE_URL shares the looks at tasks between processes";
}

/** The part of the bot that this process serves, from above 0 to 1. */
export function shareOfShards(config: Config): number {
	if (config.SHARDS === "auto" || config.SHARD_COUNT === "auto") return 1;
	return new Set(config.SHARDS).size / config.SHARD_COUNT;
}

/** Why the playground does not open where others reach it. */
export function playgroundReached(host: string): string {
	return [
		"Cannot start: check the environment or .env",
		`  DISCORD_TOKEN: expected the bot's token, because HOST is ${host}: without one the playground opens, in which whoever reaches it may be anybody (or HOST=127.0.0.1, or PLAYGROUND_REACH=network, where nobody else reaches that address)`,
	].join("\n");
}

/** Why one of several processes does not start on a store that only it can see. */
export function storeNotShared(why: string): string {
	return [
		"Cannot start: check the environment or .env",
		`  STORE_URL: expected a store that several processes share (redis://…, postgres://…, or sqlite:PATH on one machine), because ${why}`,
	].join("\n");
}

/** Why one of several processes does not start with a studio in each that knows nothing of the others. */
export function queueNotShared(why: string): string {
	return [
		"Cannot start: check the environment or .env",
		`  QUEUE_URL: expected redis://…, which the studios of several processes share, because ${why} (or MEDIA_API_URL, for a service of its own)`,
	].join("\n");
}

function isRedisUrl(text: string): boolean {
	return /^rediss?:\/\/./.test(text) && URL.canParse(text);
}

function isStoreUrl(text: string): boolean {
	if (/^(rediss?|postgres(ql)?):\/\/./.test(text)) return URL.canParse(text);
	return /^(memory:|sqlite:.+)$/.test(text);
}

function expandRange(text: string): readonly number[] {
	const [first = 0, last = first] = text.split("-").map(Number);
	return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
}
