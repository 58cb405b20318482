/** The environment as a zod schema. `.meta()` is the source of docs/configuration.md and .env.example: `npm run docs`. */
import { PROFILE_NAMES } from "@atelier/media-protocol/profiles";
import { createEncryption } from "@atelier/store/encryption";
import { z } from "zod";

/** Sections of docs/configuration.md, in their order. */
export const GROUPS = {
	discord: "Discord",
	media: "The media service",
	data: "Data",
	credits: "Credits",
	moderation: "Moderation",
	prompts: "Prompts",
	tasks: "Tasks",
	addresses: "Addresses",
	log: "Log",
} as const;

declare module "zod" {
	interface GlobalMeta {
		group?: keyof typeof GROUPS;
		/** Shown as the default of a variable that has none in the schema. */
		unset?: string;
		/** Shown in .env.example for a variable without a default. */
		example?: string;
		/** Page of docs/ with more about it. */
		more?: string;
		/** `NAME_FILE` may name a file that holds the value. */
		secret?: boolean;
	}
}

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const ENCRYPTION_KEY_BYTES = 32;

/** One day: members do not wait longer in a chat. */
const DEADLINE_MINUTES_MAX = 24 * 60;

const httpUrl = (example: string) =>
	z.url({ protocol: /^https?$/, error: `expected an http or https address, such as ${example}` });

/** An address to which paths are appended. */
const baseUrl = (example: string) => httpUrl(example).overwrite((url) => url.replace(/\/+$/, ""));

const originUrl = (example: string) =>
	baseUrl(example).refine(isOrigin, { error: `expected an address without a path, such as ${example}` });

/** Used without a setting. */
export const DISCORD_API_URL = "https://discord.com/api";

const wholeNumber = (min: number, max: number) => {
	const error = `expected a whole number from ${min} to ${max}`;
	return z
		.string()
		.regex(/^\d+$/, { error })
		.transform(Number)
		.refine((number) => number >= min && number <= max, { error });
};

/** Printable ASCII without blanks, as HTTP headers take it. */
const secret = (expected: string) => {
	const error = `expected ${expected}, without blanks and in plain letters, digits and signs`;
	return z.string().regex(/^[\x21-\x7e]+$/, { error });
};

const listenAddress = z
	.string()
	.regex(/^\S+$/, { error: "expected an address of this machine, such as 127.0.0.1 or 0.0.0.0" })
	.default("127.0.0.1");

const encryptionKeys = z.string().transform((text, context) => {
	const keys = text.split(",").map((each) => Buffer.from(each.trim(), "base64"));
	const [first, ...rest] = keys;
	if (first && keys.every(({ byteLength }) => byteLength === ENCRYPTION_KEY_BYTES)) {
		return createEncryption([first, ...rest]);
	}
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

const userIds = z
	.string()
	.transform((text) => text.split(/[\s,]+/).filter((id) => id !== ""))
	.refine((ids) => ids.every((id) => /^\d{17,20}$/.test(id)), {
		error: "expected ids of Discord users, such as 123456789012345678, with commas between them",
	});

const shardList = z
	.string()
	.refine((text) => text === "auto" || text.split(",").every(isShardRange), {
		error: "expected auto, or shards such as 0-3 or 0,2,5",
	})
	.transform((text) => (text === "auto" ? "auto" : [...new Set(text.split(",").flatMap(expandRange))]));

/** `AMOUNT CURRENCY`, with a currency that this machine can format. */
const creditPrice = z.string().transform((text, context) => {
	const [, digits = "", currency = ""] = /^(\d{1,9}(?:\.\d{1,9})?) ([A-Z]{3})$/.exec(text.trim()) ?? [];
	const amount = Number(digits);
	if (amount > 0 && Intl.supportedValuesOf("currency").includes(currency)) return { amount, currency };
	context.addIssue({ code: "custom", message: "expected an amount and a currency, such as 0.01 EUR" });
	return z.NEVER;
});

/** A row has at most five buttons. One of them redeems purchases; each other one sells an item. */
const TOP_UP_ITEMS_MAX = 4;
const TOP_UP_CREDITS_MAX = 1_000_000_000;

/** `SKU_ID:CREDITS[,SKU_ID:CREDITS…]`; each problem quotes the entry. */
const topUpItems = z.string().transform((text, context) => {
	const addIssue = (message: string): void => context.addIssue({ code: "custom", message });
	const entries = text.split(",").map((entry) => entry.trim());
	const items = entries.flatMap((entry) => {
		const [, skuId = "", digits = ""] = /^([1-9]\d{16,19}):([1-9]\d{0,9})$/.exec(entry) ?? [];
		const credits = Number(digits);
		if (skuId !== "" && credits <= TOP_UP_CREDITS_MAX) return [{ skuId, credits }];
		addIssue(`expected SKU_ID:CREDITS, such as 1234567890123456789:500, in place of "${entry.slice(0, 60)}"`);
		return [];
	});
	const ids = items.map(({ skuId }) => skuId);
	const duplicates = new Set(ids.filter((skuId, index) => ids.indexOf(skuId) !== index));
	for (const skuId of duplicates) addIssue(`expected each item once, but ${skuId} is listed twice`);
	if (entries.length > TOP_UP_ITEMS_MAX) addIssue(`expected at most ${TOP_UP_ITEMS_MAX} items`);
	return items;
});

export const environment = z.object({
	DISCORD_TOKEN: secret("the bot's token, as the developer portal shows it").optional().meta({
		group: "discord",
		description: "The bot's token, from the developer portal. Without it the bot uses the playground.",
		unset: "none: playground",
		secret: true,
	}),
	DISCORD_CLIENT_SECRET: secret("the client secret, as the developer portal shows it under OAuth2").optional().meta({
		group: "discord",
		description: "The application's client secret, for the log-in of the dashboard.",
		unset: "none: no dashboard",
		more: "dashboard.md",
		secret: true,
	}),
	OPERATOR_IDS: userIds.default([]).meta({
		group: "discord",
		description:
			"Discord ids of the operators, with commas between them. They see all servers, the health of the bot and the studio's keys on the dashboard.",
		unset: "none",
		more: "dashboard.md#operators",
	}),
	OPERATOR_WRITES: z
		.enum(["true", "false"], { error: "expected true or false" })
		.default("false")
		.transform((text) => text === "true")
		.meta({
			group: "discord",
			description:
				"Permission for operators to grant credits and manage keys of the studio on the dashboard: `true` or `false`.",
			unset: "`false`",
			more: "dashboard.md#operators",
		}),
	DISCORD_API_URL: baseUrl(DISCORD_API_URL).optional().meta({
		group: "discord",
		description: "Base of the REST API (`…/api`) of a stand-in for Discord, which serves files from the same origin.",
		unset: "Discord's own",
	}),
	DISCORD_REQUESTS_PER_SECOND: wholeNumber(1, 10_000).default(50).meta({
		group: "discord",
		description:
			"Limit of the bot's own requests to Discord, for all processes together. Discord allows large bots more.",
		more: "scaling.md",
	}),
	SHARDS: shardList.default("auto").meta({
		group: "discord",
		description:
			"Gateway shards of this process: `auto`, or some of them, such as `0-3` or `0,2,5`. Other processes with the same `QUEUE_URL` serve the rest.",
		more: "scaling.md",
	}),
	SHARD_COUNT: z
		.union([z.literal("auto"), wholeNumber(1, 100_000)], { error: "expected auto, or a whole number from 1 to 100000" })
		.default("auto")
		.meta({ group: "discord", description: "Number of all shards." }),

	MEDIA_API_URL: baseUrl("https://media.example.com").optional().meta({
		group: "media",
		description: "The media generation service, with or without `/api/v1`.",
		unset: "none: studio",
		more: "media-service.md",
	}),
	MEDIA_API_KEY: secret("the key of the service")
		.optional()
		.meta({ group: "media", description: "The key to that service.", secret: true }),
	MEDIA_API_PROFILE: z
		.enum(PROFILE_NAMES, { error: `expected one of ${PROFILE_NAMES.join(", ")}` })
		.default("specification")
		.meta({
			group: "media",
			description: `Dialect of that service: ${inCode(PROFILE_NAMES)}.`,
			more: "media-service.md",
		}),
	MEDIA_API_POLLS_PER_SECOND: wholeNumber(1, 100_000).default(20).meta({
		group: "media",
		description: "Limit of polls of that service, for all processes together.",
		more: "media-service.md#polling",
	}),
	MEDIA_CATALOG: z.string().optional().meta({
		group: "media",
		description: "JSON file with the models of a service that does not list them at `/api/v1/models`.",
		more: "media-service.md#model-catalog",
	}),
	MEDIA_ORIGINS: originList.default([]).meta({
		group: "media",
		description:
			"More addresses in your own network from which results may be fetched, such as `http://10.0.0.7:9000`, with commas between them.",
		more: "delivery.md#download",
	}),
	STUDIO_ENGINES: z.string().optional().meta({
		group: "media",
		description: "JSON file with the engines and models of the built-in studio. Not with `MEDIA_API_URL`.",
		unset: "none: `sketch`",
		more: "engines.md",
	}),

	DATA_DIR: z.string().regex(/\S/, { error: "expected a folder" }).default("./data").meta({
		group: "data",
		description:
			"Folder for files: results, the studio's media, the playground's data, and the database unless `STORE_URL` names another one.",
		more: "deploy.md",
	}),
	STORE_URL: z
		.string()
		.refine(isStoreUrl, {
			error: "expected sqlite:PATH, redis://…, rediss://…, postgres://…, postgresql://… or memory:",
		})
		.optional()
		.meta({
			group: "data",
			description:
				"Store of tasks and credits: `sqlite:PATH`, `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, `redis://USER:PASSWORD@HOST:PORT/NUMBER` (`rediss://` with TLS; Valkey too), or `memory:` (lost at exit).",
			unset: "`atelier.db` in `DATA_DIR`",
			example: "sqlite:./data/atelier.db",
			more: "deploy.md#choose-a-store",
			secret: true,
		}),
	QUEUE_URL: z
		.string()
		.refine(isRedisUrl, { error: "expected redis://… or rediss://…, or nothing for a queue in this process" })
		.optional()
		.meta({
			group: "data",
			description:
				"Queue through which several processes share polls and the work of their studio: `redis://…` or `rediss://…` (Valkey too).",
			unset: "none: in process",
			more: "scaling.md",
			secret: true,
		}),
	PROMPT_KEYS: encryptionKeys.optional().meta({
		group: "data",
		description:
			"Keys that encrypt members' texts in the store, from `openssl rand -base64 32`, with commas between them. The first one encrypts.",
		unset: "none: not encrypted",
		more: "deploy.md#encrypt-members-texts",
		secret: true,
	}),
	RESULTS_MAX_MB: wholeNumber(100, 100_000_000).default(2048).meta({
		group: "data",
		description:
			"Limit of the disk space for the results of all servers, in MiB. Beyond it, the oldest are removed before their week ends.",
	}),
	PROVENANCE: z.enum(["on", "off"], { error: "expected on or off" }).default("on").meta({
		group: "media",
		description:
			"`on` marks files as generated in their metadata, with the names of the model and of the bot; `off` passes them on unchanged.",
		more: "delivery.md#provenance",
	}),

	GUILD_CREDITS: wholeNumber(0, 1_000_000_000).default(500).meta({
		group: "credits",
		description: "Credits that each server gets in each month, with its first use of the bot in that month.",
		more: "credits.md",
	}),
	CREDITS_GRANTED_BY: z
		.enum(["managers", "operator"], { error: "expected managers or operator" })
		.default("managers")
		.meta({
			group: "credits",
			description:
				"Selects who may grant more credits: the operator and the `managers` of a server (`/balance grant` and refunds), or the `operator` alone.",
			more: "credits.md",
		}),
	CREDIT_PRICE: creditPrice.optional().meta({
		group: "credits",
		description: "Price of one credit in money, such as `0.01 EUR`. Prices and `/usage` then show both.",
		unset: "none: credits only",
		more: "credits.md#show-prices-in-money",
	}),
	TOP_UP_ITEMS: topUpItems.default([]).meta({
		group: "credits",
		description:
			"Consumable items of your application that members buy on Discord, each with its credits: `SKU_ID:CREDITS`, at most four, with commas between them. Without it, members cannot buy credits.",
		more: "credits.md#sell-credits",
	}),

	MODERATION_URL: httpUrl("https://moderation.example.com/judge").optional().meta({
		group: "moderation",
		description:
			"A service that judges each prompt before any credits are reserved, and each image and video before it is shown.",
		more: "deploy.md#moderate-prompts-and-results",
	}),
	MODERATION_KIND: z.enum(["hook", "openai"], { error: "expected hook or openai" }).default("hook").meta({
		group: "moderation",
		description:
			"The interface of that service: `hook` for a service of yours, `openai` for the base of an OpenAI-compatible API with `/moderations`, such as `https://api.openai.com/v1`.",
	}),
	MODERATION_MODEL: z
		.string()
		.min(1)
		.max(200)
		.default("omni-moderation-latest")
		.meta({ group: "moderation", description: "The model of an OpenAI-compatible API." }),
	MODERATION_API_KEY: secret("the key of the moderation service")
		.optional()
		.meta({ group: "moderation", description: "The key to that service, if it needs one.", secret: true }),
	MODERATION_FAILURE: z.enum(["deny", "allow"], { error: "expected deny or allow" }).default("deny").meta({
		group: "moderation",
		description:
			"Verdict when that service does not respond: `deny` or `allow`. A denied result waits for the moderators.",
	}),

	PROMPT_MODEL_URL: baseUrl("https://api.example.com/v1").optional().meta({
		group: "prompts",
		description:
			"Base of an OpenAI-compatible API whose text model improves prompts, for members who ask for it in servers that turned it on.",
		unset: "none: prompts cannot be improved",
		more: "deploy.md#improve-prompts-with-a-text-model",
	}),
	PROMPT_MODEL_KEY: secret("the key of the text model's API")
		.optional()
		.meta({ group: "prompts", description: "The key to that API, if it needs one.", secret: true }),
	PROMPT_MODEL: z
		.string()
		.min(1)
		.max(200)
		.optional()
		.meta({ group: "prompts", description: "The name of the text model, as that API has it." }),

	IMAGE_DEADLINE_MINUTES: wholeNumber(1, DEADLINE_MINUTES_MAX).default(10).meta({
		group: "tasks",
		description: "Time limit of an image, counted from its command. After it the task fails and its credits return.",
		more: "media-service.md#deadlines",
	}),
	MUSIC_DEADLINE_MINUTES: wholeNumber(1, DEADLINE_MINUTES_MAX)
		.default(30)
		.meta({ group: "tasks", description: "The same for music." }),
	VIDEO_DEADLINE_MINUTES: wholeNumber(1, DEADLINE_MINUTES_MAX)
		.default(60)
		.meta({ group: "tasks", description: "The same for a video." }),
	TASK_RETENTION_DAYS: wholeNumber(1, 3650)
		.default(30)
		.meta({ group: "tasks", description: "Days for which `/job` finds a task after its end." }),

	HOST: listenAddress.meta({
		group: "addresses",
		description:
			"Address on which the page, the studio and the health checks listen: one of this machine, or `0.0.0.0` for all.",
	}),
	PORT: wholeNumber(0, 65_535)
		.default(8080)
		.meta({ group: "addresses", description: "Port for these; `0` takes any free one." }),
	PLAYGROUND_REACH: z.enum(["machine", "network"], { error: "expected machine or network" }).default("machine").meta({
		group: "addresses",
		description:
			"The reach of the playground: `network` allows an address that other machines reach, if another layer restricts access; otherwise `machine`.",
		more: "playground.md#access",
	}),
	METRICS_PORT: wholeNumber(0, 65_535).optional().meta({
		group: "addresses",
		description:
			"Separate port for Prometheus to read `/metrics`. Without it they are on `PORT`, if `HOST` is a loopback address.",
		unset: "on `PORT`",
		more: "runbook.md#metrics",
	}),
	METRICS_HOST: listenAddress.meta({ group: "addresses", description: "Address on which `METRICS_PORT` listens." }),
	PUBLIC_URL: originUrl("https://bot.example.com").optional().meta({
		group: "addresses",
		description:
			"Public address of `PORT`: of the dashboard, of results that are too large for Discord, and of callbacks of a remote studio.",
		more: "delivery.md#transcoding",
	}),
	/** Not `PUBLIC_URL`, which a bot with the same `.env` sets to its own address. */
	STUDIO_URL: baseUrl("https://studio.example.com").optional().meta({
		group: "addresses",
		description: "Public address of a studio that `atelier studio` runs alone.",
		unset: "none: this machine",
		more: "studio-api.md",
	}),

	LOG_LEVEL: z
		.enum(LOG_LEVELS, { error: `expected one of ${LOG_LEVELS.join(", ")}` })
		.default("info")
		.meta({ group: "log", description: `One of ${inCode(LOG_LEVELS)}.` }),
});

export type Environment = z.infer<typeof environment>;
type VariableName = keyof Environment;

const NAMES = Object.keys(environment.shape) as VariableName[];

/**
 * Variables that can be read from a file, as `NAME_FILE`. Server URLs count as secrets because they contain passwords.
 */
export const SECRETS: readonly VariableName[] = NAMES.filter((name) => environment.shape[name].meta()?.secret === true);

/** Every variable of the configuration. */
export const variableNames: readonly string[] = [...NAMES, ...SECRETS.map((name) => `${name}_FILE`)];

function inCode(words: readonly string[]): string {
	return words.map((word) => `\`${word}\``).join(", ");
}

function isOrigin(text: string): boolean {
	const url = URL.parse(text);
	return url !== null && url.href === `${url.origin}/`;
}

function isShardRange(text: string): boolean {
	const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
	return first !== undefined && Number(first) <= Number(last);
}

function expandRange(text: string): readonly number[] {
	const [first = 0, last = first] = text.split("-").map(Number);
	return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
}

function isRedisUrl(text: string): boolean {
	return /^rediss?:\/\/./.test(text) && URL.canParse(text);
}

function isStoreUrl(text: string): boolean {
	if (/^(rediss?|postgres(ql)?):\/\/./.test(text)) return URL.canParse(text);
	return /^(memory:|sqlite:(?!:memory:$).+)$/.test(text);
}
