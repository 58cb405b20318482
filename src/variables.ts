/** What each variable of the configuration is for, in words: docs/configure.md and .env.example are made of them. */
import type { environment } from "./config.ts";

export interface Variable {
	readonly group: keyof typeof GROUPS;
	readonly means: string;
	/** What holds where it is not set and the schema has no default for it. */
	readonly unset?: string;
	/** What stands in .env.example where the schema has no default to show. */
	readonly example?: string;
	/** Where docs/ says more. */
	readonly more?: string;
}

export const GROUPS = {
	discord: "Discord",
	media: "The media service",
	data: "Data",
	credits: "Credits",
	moderation: "Moderation",
	tasks: "Tasks",
	addresses: "Addresses",
	log: "Log",
} as const;

const NONE = "none";

export const VARIABLES: Readonly<Record<keyof typeof environment.shape, Variable>> = {
	DISCORD_TOKEN: {
		group: "discord",
		means: "The bot's token, from the developer portal. Without it the bot talks to the playground.",
		unset: "none: playground",
	},
	DISCORD_API_URL: {
		group: "discord",
		means:
			"Base of the REST API (`…/api`) of a stand-in for Discord, whose files are at the same origin; asks for `DISCORD_TOKEN`.",
		unset: "Discord's own",
	},
	DISCORD_REQUESTS_PER_SECOND: {
		group: "discord",
		means: "What Discord takes of the bot's own requests, by all processes together; it allows large bots more.",
		more: "scaling.md",
	},
	SHARDS: {
		group: "discord",
		means: "Which gateway shards this process runs: `auto`, or a part of them such as `0-3` or `0,2,5`.",
		more: "scaling.md",
	},
	SHARD_COUNT: {
		group: "discord",
		means: "Of how many shards; has to be said where `SHARDS` names some.",
	},
	MEDIA_API_URL: {
		group: "media",
		means: "The media generation service, with or without `/api/v1`; asks for `MEDIA_API_KEY`.",
		unset: "none: studio",
		more: "running.md#the-media-service",
	},
	MEDIA_API_KEY: { group: "media", means: "The key to that service.", unset: NONE },
	MEDIA_API_PROFILE: {
		group: "media",
		means:
			"How that service differs from the specification: `specification`, `studio`, `shipany`, `kie`, `piapi`, `acestep`.",
		more: "running.md#the-media-service",
	},
	MEDIA_API_LOOKS_PER_SECOND: {
		group: "media",
		means: "How often the service is asked how its tasks are, by all processes together.",
		more: "running.md#how-often-the-service-is-asked",
	},
	MEDIA_CATALOGUE: {
		group: "media",
		means: "A JSON file with the models of a service that does not list them at `/api/v1/models`.",
		unset: NONE,
		more: "running.md#a-catalogue",
	},
	MEDIA_ORIGINS: {
		group: "media",
		means:
			"Further addresses in your own network that results may be fetched from: `http://10.0.0.7:9000`, with commas between several.",
		more: "running.md#where-results-are-fetched-from",
	},
	STUDIO_ENGINES: {
		group: "media",
		means: "A JSON file with the engines and models of the built-in studio.",
		unset: "none: `sketch`",
		more: "engines.md",
	},
	DATA_DIR: {
		group: "data",
		means:
			"Where files live: results, the studio's media, the playground's memory, and the database unless `STORE_URL` says otherwise.",
		more: "running.md#running-atelier",
	},
	STORE_URL: {
		group: "data",
		means:
			"Where tasks and credits live: `sqlite:PATH`, `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, `redis://USER:PASSWORD@HOST:PORT/NUMBER` (`rediss://` with TLS; Valkey too), or `memory:` (forgotten at the end).",
		unset: "`atelier.db` in `DATA_DIR`",
		example: "sqlite:./data/atelier.db",
		more: "running.md#choosing-a-store",
	},
	QUEUE_URL: {
		group: "data",
		means:
			"Where several processes share which task is looked at when, and their studio its work: `redis://…` or `rediss://…` (Valkey too).",
		unset: "none: in process",
		more: "running.md#several-processes",
	},
	PROMPT_KEYS: {
		group: "data",
		means:
			"Keys with which what members typed is encrypted in the store, from `openssl rand -base64 32`; the first one encrypts.",
		unset: "none: not encrypted",
		more: "running.md#encrypting-what-members-typed",
	},
	RESULTS_MAX_MB: { group: "data", means: "How much of finished files is kept on the disk, in MiB." },
	GUILD_CREDITS: {
		group: "credits",
		means: "Credits that each server is given each month, when it first uses the bot in it.",
		more: "running.md#credits",
	},
	CREDITS_GRANTED_BY: {
		group: "credits",
		means:
			"Who may give servers more: beside the operator their `managers`, with `/credits grant` and refunds, or the `operator` alone.",
		more: "running.md#credits",
	},
	TOP_UP_ITEMS: {
		group: "credits",
		means:
			"Consumable items of your application that people buy on Discord, and how many credits each is: `SKU_ID:CREDITS`, with commas between several, four at most. Without it nothing is for sale.",
		more: "running.md#selling-credits",
	},
	MODERATION_URL: {
		group: "moderation",
		means: "A service of yours that is asked about each prompt before anything is set aside.",
		unset: NONE,
		more: "running.md#moderation",
	},
	MODERATION_API_KEY: { group: "moderation", means: "The key to that service, where it asks for one.", unset: NONE },
	MODERATION_FAILURE: { group: "moderation", means: "What holds where it does not answer: `refuse` or `allow`." },
	IMAGE_DEADLINE_MINUTES: {
		group: "tasks",
		means: "How long a picture may take from its command, before it is given up and its credits are given back.",
		more: "running.md#what-becomes-of-a-task",
	},
	MUSIC_DEADLINE_MINUTES: { group: "tasks", means: "The same for a piece of music." },
	VIDEO_DEADLINE_MINUTES: { group: "tasks", means: "The same for a video." },
	TASK_RETENTION_DAYS: { group: "tasks", means: "How many days `/job` knows a task after its end." },
	HOST: {
		group: "addresses",
		means: "Where the page, the studio and the health checks listen: an address of this machine, or `0.0.0.0` for all.",
	},
	PORT: { group: "addresses", means: "At which port; `0` takes any that is free." },
	PLAYGROUND_REACH: {
		group: "addresses",
		means:
			"Whether the playground may open where more than this `machine` reaches it: `network`, where something else keeps strangers away.",
		more: "playground.md#who-reaches-it",
	},
	METRICS_PORT: {
		group: "addresses",
		means:
			"At which port Prometheus reads `/metrics`, and nothing else answers. Without it they are on `PORT`, where `HOST` is this machine alone.",
		unset: "on `PORT`",
		more: "operate.md#numbers",
	},
	METRICS_HOST: { group: "addresses", means: "Where `METRICS_PORT` listens." },
	PUBLIC_URL: {
		group: "addresses",
		means: "Where others reach `PORT`: files that Discord does not take get a link.",
		unset: NONE,
		more: "running.md#what-is-done-to-files",
	},
	STUDIO_URL: {
		group: "addresses",
		means: "Where others reach the studio that `npx atelier studio` runs alone.",
		unset: "none: this machine",
		more: "studio-api.md",
	},
	LOG_LEVEL: { group: "log", means: "`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`." },
};
