/** Parses the environment, and the files that it names for secrets, into a validated configuration. */
import { join } from "node:path";
import { findSecret } from "@atelier/common/secrets";
import { environmentError } from "./config-error.ts";
import { environment, SECRETS, type Environment } from "./schema.ts";

const MINUTE_MS = 60_000;
/** Discord's tokens are three times as long. */
const DISCORD_TOKEN_CHARS_MIN = 20;

export type Config = Readonly<Environment & { STORE_URL: string }>;

type Variables = Readonly<Record<string, string | undefined>>;

const DEFAULTS: Readonly<Record<string, unknown>> = environment.parse({});

/** Variables that require another one. */
const COMPANIONS = [
	{
		set: "DISCORD_CLIENT_SECRET",
		missing: "PUBLIC_URL",
		expected: "the public address of the dashboard, because DISCORD_CLIENT_SECRET is set",
	},
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
		set: "MEDIA_CATALOG",
		missing: "MEDIA_API_URL",
		expected: "the address of the service, because MEDIA_CATALOG lists its models",
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
	{
		set: "MODERATION_KIND",
		missing: "MODERATION_URL",
		expected: "the address of the moderation service, because MODERATION_KIND is set",
	},
	{
		set: "MODERATION_MODEL",
		missing: "MODERATION_URL",
		expected: "the address of the moderation service, because MODERATION_MODEL is set",
	},
	{
		set: "PROMPT_MODEL_URL",
		missing: "PROMPT_MODEL",
		expected: "the name of the text model, because PROMPT_MODEL_URL is set",
	},
	{
		set: "PROMPT_MODEL_KEY",
		missing: "PROMPT_MODEL_URL",
		expected: "the address of the text model's API, because PROMPT_MODEL_KEY is set",
	},
	{
		set: "PROMPT_MODEL",
		missing: "PROMPT_MODEL_URL",
		expected: "the address of the text model's API, because PROMPT_MODEL is set",
	},
	{ set: "SHARDS", missing: "SHARD_COUNT", expected: "the number of all shards, because SHARDS names some of them" },
] as const;

/** Throws one `ConfigError` that names every variable with a problem. */
export function loadConfig(env: Variables): Config {
	const secrets = Object.fromEntries(SECRETS.map((name) => [name, findSecret(env, name)]));
	const variables = withoutEmpty({
		...env,
		...Object.fromEntries(Object.entries(secrets).map(([name, found]) => [name, "text" in found ? found.text : ""])),
	});
	const parsed = environment.safeParse(variables);
	const isGiven = (name: string): boolean => isSet(name, variables[name]) || isSet(name, env[`${name}_FILE`]);
	const problems = [
		...Object.values(secrets).flatMap((found) => ("problem" in found ? [`${found.name}: ${found.problem}`] : [])),
		// Names the variable that holds the file name if the secret comes from a file.
		...(parsed.error?.issues ?? []).map(({ path: [name = ""], message }) => {
			return `${secrets[String(name)]?.name ?? String(name)}: ${message}`;
		}),
		...COMPANIONS.filter(({ set, missing }) => isGiven(set) && !isGiven(missing)).map(
			({ missing, expected }) => `${missing}: expected ${expected}`,
		),
		...(parsed.success ? shardProblems(parsed.data) : []),
		...(isGiven("STUDIO_ENGINES") && isGiven("MEDIA_API_URL")
			? ["STUDIO_ENGINES: expected nothing, because MEDIA_API_URL names a service in place of the studio"]
			: []),
	];
	if (parsed.success && problems.length === 0) {
		return { ...parsed.data, STORE_URL: parsed.data.STORE_URL ?? `sqlite:${join(parsed.data.DATA_DIR, "atelier.db")}` };
	}
	// Reports one problem per variable.
	throw environmentError(
		problems.filter((problem, index) => index === problems.findIndex((other) => isSameVariable(other, problem))),
	);
}

/** Treats empty variables as unset: `.env` files and container settings leave them behind. */
function withoutEmpty(env: Variables): Variables {
	return Object.fromEntries(Object.entries(env).filter(([, text]) => text !== undefined && text !== ""));
}

/** A variable with its default value requires no other one. */
function isSet(name: string, text = ""): boolean {
	return text !== "" && text !== String(DEFAULTS[name]);
}

function isSameVariable(one: string, other: string): boolean {
	return one.split(":", 1)[0] === other.split(":", 1)[0];
}

function shardProblems({ SHARDS, SHARD_COUNT }: Environment): readonly string[] {
	if (SHARDS === "auto" || SHARD_COUNT === "auto") return [];
	const invalidShards = SHARDS.filter((shard) => shard >= SHARD_COUNT);
	return invalidShards.length === 0
		? []
		: [`SHARDS: expected shards from 0 to ${SHARD_COUNT - 1}, because SHARD_COUNT is ${SHARD_COUNT}`];
}

/** The deadlines of tasks by media type. */
export function deadlinesOf(config: Config): Readonly<Record<"image" | "music" | "video", number>> {
	return {
		image: config.IMAGE_DEADLINE_MINUTES * MINUTE_MS,
		music: config.MUSIC_DEADLINE_MINUTES * MINUTE_MS,
		video: config.VIDEO_DEADLINE_MINUTES * MINUTE_MS,
	};
}

/** Returns whether the token looks truncated. Only Discord knows whether it is valid. */
export function isTokenShort({ DISCORD_TOKEN }: Config): boolean {
	return DISCORD_TOKEN !== undefined && DISCORD_TOKEN.length < DISCORD_TOKEN_CHARS_MIN;
}
