/** Parses the environment, and the files that it names for secrets, into a validated configuration. */
import { join } from "node:path";
import { findSecret } from "@atelier/common/secrets";
import { environmentError } from "./config-error.ts";
import { findEnvTypos } from "./env-typos.ts";
import { environment, SECRETS, variableNames, type Environment } from "./schema.ts";

const MINUTE_MS = 60_000;

export type Config = Readonly<Environment & { STORE_URL: string }>;

type Variables = Readonly<Record<string, string | undefined>>;

const DEFAULTS: Readonly<Record<string, unknown>> = environment.parse({});

/** Names what a required variable should contain. */
const EXPECTED = {
	PUBLIC_URL: "the public address of the dashboard",
	DISCORD_TOKEN: "a token",
	MEDIA_API_KEY: "the key of the service",
	MEDIA_API_URL: "the address of the service",
	METRICS_PORT: "the port for the metrics",
	MODERATION_URL: "the address of the moderation service",
	PROMPT_MODEL: "the name of the text model",
	PROMPT_MODEL_URL: "the address of the text model's API",
	SHARD_COUNT: "the number of all shards",
} as const satisfies Partial<Record<keyof Environment, string>>;

/** Variables that require another one. The error gives `reason` after the name of the set variable: "is set" by default. */
export const COMPANIONS: readonly (readonly [
	set: keyof Environment,
	required: keyof typeof EXPECTED,
	reason?: string,
])[] = [
	["DISCORD_CLIENT_SECRET", "PUBLIC_URL"],
	["DISCORD_API_URL", "DISCORD_TOKEN"],
	["MEDIA_API_URL", "MEDIA_API_KEY"],
	["MEDIA_API_KEY", "MEDIA_API_URL"],
	["MEDIA_API_PROFILE", "MEDIA_API_URL", "describes it"],
	["MEDIA_CATALOG", "MEDIA_API_URL", "lists its models"],
	["MEDIA_ORIGINS", "MEDIA_API_URL", "names where its files are"],
	["METRICS_HOST", "METRICS_PORT"],
	["MODERATION_API_KEY", "MODERATION_URL"],
	["MODERATION_FAILURE", "MODERATION_URL"],
	["MODERATION_KIND", "MODERATION_URL"],
	["MODERATION_MODEL", "MODERATION_URL"],
	["PROMPT_MODEL_URL", "PROMPT_MODEL"],
	["PROMPT_MODEL_KEY", "PROMPT_MODEL_URL"],
	["PROMPT_MODEL", "PROMPT_MODEL_URL"],
	["SHARDS", "SHARD_COUNT", "names some of them"],
];

interface Problem {
	readonly variable: string;
	readonly message: string;
}

const ENGINES_BESIDE_SERVICE: Problem = {
	variable: "STUDIO_ENGINES",
	message: "expected nothing, because MEDIA_API_URL names a service in place of the studio",
};

/** Throws one `ConfigError` that names every variable with a problem, and variables with a similar name, which may cause it. */
export function loadConfig(env: Variables): Config {
	const secrets = Object.fromEntries(SECRETS.map((name) => [name, findSecret(env, name)]));
	const variables = withoutEmpty({
		...env,
		...Object.fromEntries(Object.entries(secrets).map(([name, found]) => [name, "text" in found ? found.text : ""])),
	});
	const parsed = environment.safeParse(variables);
	const isSet = (name: string): boolean =>
		differsFromDefault(name, variables[name]) || (env[`${name}_FILE`] ?? "") !== "";
	const unreadableSecrets = Object.values(secrets).flatMap((found) =>
		"problem" in found ? [{ variable: found.name, message: found.problem }] : [],
	);
	const invalidValues = (parsed.error?.issues ?? []).map(({ path: [name = ""], message }) => {
		// `NAME_FILE` if the secret comes from a file.
		return { variable: secrets[String(name)]?.name ?? String(name), message };
	});
	const missingCompanions = COMPANIONS.filter(([set, required]) => isSet(set) && !isSet(required)).map(
		([set, required, reason = "is set"]) => {
			return { variable: required, message: `expected ${EXPECTED[required]}, because ${set} ${reason}` };
		},
	);
	const problems: readonly Problem[] = [
		...unreadableSecrets,
		...invalidValues,
		...missingCompanions,
		...(parsed.success ? clusterProblems(parsed.data) : []),
		...(isSet("STUDIO_ENGINES") && isSet("MEDIA_API_URL") ? [ENGINES_BESIDE_SERVICE] : []),
	];
	if (parsed.success && problems.length === 0) {
		return { ...parsed.data, STORE_URL: parsed.data.STORE_URL ?? `sqlite:${join(parsed.data.DATA_DIR, "atelier.db")}` };
	}
	const firstOfEach = problems.filter(
		({ variable }, index) => index === problems.findIndex((other) => other.variable === variable),
	);
	const typos = findEnvTypos(env, variableNames).map(
		({ variable, similarName }) => `${variable}: unknown variable, perhaps misspelled: ${similarName}`,
	);
	throw environmentError([...firstOfEach.map(({ variable, message }) => `${variable}: ${message}`), ...typos]);
}

/** Treats empty variables as unset: `.env` files and container settings leave them behind. */
function withoutEmpty(env: Variables): Variables {
	return Object.fromEntries(Object.entries(env).filter(([, text]) => text !== undefined && text !== ""));
}

/** Returns false for an unset variable too. One with its default value counts as unset: it requires no other one. */
function differsFromDefault(name: string, text = ""): boolean {
	return text !== "" && text !== String(DEFAULTS[name]);
}

/** Returns invalid shards, and what the processes of one bot must share and do not. */
function clusterProblems({ SHARDS, SHARD_COUNT, QUEUE_URL, STORE_URL }: Environment): readonly Problem[] {
	const problems: Problem[] = [];
	if (QUEUE_URL !== undefined && STORE_URL === "memory:") {
		const message =
			"expected a store that several processes share (redis://…, postgres://…, or sqlite:PATH on one machine), because QUEUE_URL is set";
		problems.push({ variable: "STORE_URL", message });
	}
	if (SHARDS === "auto" || SHARD_COUNT === "auto") return problems;
	if (SHARDS.some((shard) => shard >= SHARD_COUNT)) {
		const message = `expected shards from 0 to ${SHARD_COUNT - 1}, because SHARD_COUNT is ${SHARD_COUNT}`;
		problems.push({ variable: "SHARDS", message });
	} else if (SHARDS.length < SHARD_COUNT && QUEUE_URL === undefined) {
		const message =
			"expected the queue that the processes of one bot share (redis://…), because SHARDS names some of the shards";
		problems.push({ variable: "QUEUE_URL", message });
	}
	return problems;
}

export function deadlinesOf(config: Config): Readonly<Record<"image" | "music" | "video", number>> {
	return {
		image: config.IMAGE_DEADLINE_MINUTES * MINUTE_MS,
		music: config.MUSIC_DEADLINE_MINUTES * MINUTE_MS,
		video: config.VIDEO_DEADLINE_MINUTES * MINUTE_MS,
	};
}
