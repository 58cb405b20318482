/** The documents of the dashboard's API. Times are milliseconds since 1970, credits are whole numbers, ids are Discord's. */
import { z } from "zod";
import {
	BLOCK_REASON_CHARS_MAX,
	CHANGE_CREDITS_MAX,
	FILTER_TEST_CHARS_MAX,
	REASON_CHARS_MAX,
	REASON_CHARS_MIN,
} from "./limits.ts";
import { discordId, mediaType, patterns, PERIODS, ServerSettings, STYLE_OPTIONS } from "./settings-schema.ts";

/** The ranges of a usage report, in days. */
export const USAGE_DAYS = [7, 30, 90] as const;
export const RUNNING_JOB_STATES = ["waiting", "in_progress", "unconfirmed", "canceling"] as const;
const ENDED_JOB_STATES = ["succeeded", "failed", "canceled"] as const;
/** A filter by state: `running` stands for all jobs that have not ended. */
export const JOB_FILTER_STATES = ["running", ...ENDED_JOB_STATES] as const;
export type JobFilterState = (typeof JOB_FILTER_STATES)[number];
export const ENTRY_KINDS = ["grant", "reserve", "post", "void", "expire", "adjust"] as const;

const credits = z.int();
const time = z.int().min(0);
export const taskId = z.string().regex(/^\d{1,25}$/, { error: "expected the id of a job" });
const period = z.enum(PERIODS);

export const ErrorBody = z.object({
	error: z.object({
		/** `denied`, `conflict`, `invalid`, `logged_out`, `forbidden`, `forged`, `not_found`, `invalid_key`, `too_many`, `outcome_unknown`, `unavailable` or `unexpected`. */
		code: z.string(),
		/** In the reader's language. */
		message: z.string(),
		/** The paths of the settings that a change was denied for, such as `showcase.channelId`. */
		settings: z.array(z.string()).optional(),
	}),
});

/** The reasons of a failed login, in the query `error` of the page. */
export const LOGIN_FAILURES = ["canceled", "state", "discord_unavailable", "rate_limited", "unexpected"] as const;
export type LoginFailure = (typeof LOGIN_FAILURES)[number];

/** A server that the reader may open. Managers have _Manage Server_ there, moderators _Manage Messages_. */
export const ServerRef = z.object({
	id: discordId,
	name: z.string(),
	iconUrl: z.string().nullable(),
	access: z.enum(["manager", "moderator", "member"]),
});

export const Session = z.object({
	user: z.object({ id: discordId, name: z.string(), avatarUrl: z.string().nullable() }),
	/** Sent as the header `x-csrf-token` with every write. */
	csrfToken: z.string(),
	/** Discord's code of the reader's language, such as `de` or `en-US`. */
	locale: z.string(),
	servers: z.array(ServerRef),
	/** Discord did not tell about all servers of the reader in time: some may be missing. */
	hasUnreadServers: z.boolean(),
	/** `null` for readers who are not operators of the bot. */
	operator: z.object({ mayWrite: z.boolean() }).nullable(),
});
export type Session = z.infer<typeof Session>;

/** ICU messages by key, for the keys of the group `dashboard`. */
export const Messages = z.object({ locale: z.string(), messages: z.record(z.string(), z.string()) });
export type Messages = z.infer<typeof Messages>;

/** An option of a model. `min` and `max` limit a number, `max` also the characters of a text. */
export const StyleOption = z.object({
	name: z.enum(STYLE_OPTIONS),
	kind: z.enum(["choice", "number", "text", "switch"]),
	choices: z.array(z.string()),
	min: z.number(),
	max: z.number(),
});
export type StyleOption = z.infer<typeof StyleOption>;

/** The roles, channels and models that a form offers. */
export const Directory = z.object({
	roles: z.array(z.object({ id: discordId, name: z.string() })),
	/** `canBePostedTo`: logs, reports, warnings and the showcase need a channel of this kind. */
	channels: z.array(z.object({ id: discordId, name: z.string(), canBePostedTo: z.boolean() })),
	models: z.array(
		z.object({
			id: z.string(),
			name: z.string(),
			mediaType,
			/** The options that a style may set; `null` if no style can use the model. */
			styleOptions: z.array(StyleOption).nullable(),
		}),
	),
	/** The languages that a server may choose: Discord's code, and the language's own name. */
	languages: z.array(z.object({ code: z.string(), name: z.string() })),
	timeZones: z.array(z.string()),
	/** True if the operator has set a moderation service, whose flags the rules of `safety` use. */
	hasModeration: z.boolean(),
	/** True if the operator has set a text model, which improves prompts. */
	hasImprover: z.boolean(),
});
export type Directory = z.infer<typeof Directory>;

export const Job = z.object({
	id: taskId,
	/** `null`, like the prompt, for a private result of another member. */
	userId: discordId.nullable(),
	mediaType,
	model: z.string(),
	prompt: z.string().nullable(),
	isPrivate: z.boolean(),
	state: z.enum([...RUNNING_JOB_STATES, ...ENDED_JOB_STATES]),
	/** The reason of the failure, in the reader's language. */
	reason: z.string().nullable(),
	/** The charged credits; while the job runs, the reserved ones. */
	credits,
	createdAtMs: time,
	/** The message with the result in Discord. */
	url: z.string().nullable(),
	/** The actions that are possible now. */
	actions: z.array(z.enum(["cancel", "delete", "refund", "report"])),
	/** The files in the message of a public result; 0 for all other jobs. */
	files: z.int(),
	/** The result is hidden until the reader asks for it. */
	isSpoiler: z.boolean(),
});
export type Job = z.infer<typeof Job>;

export const Balance = z.object({
	availableCredits: credits,
	heldCredits: credits,
	expiring: z.array(z.object({ credits, expiresAtMs: time })),
});
export type Balance = z.infer<typeof Balance>;
/** A limit with its use in the current period. */
export const LimitUse = z.object({
	credits,
	usedCredits: credits,
	per: period,
	resetsAtMs: time,
});
export type LimitUse = z.infer<typeof LimitUse>;

export const WARNINGS = ["paused", "service_down", "month_80", "month_100", "server_limit_reached"] as const;
export const Overview = z.object({
	balance: Balance,
	/** 0 if the operator grants no monthly credits. */
	monthlyCredits: credits,
	refillsAtMs: time.nullable(),
	month: z.object({
		spentCredits: credits,
		/** Spent by the end of the month at the present rate; `null` on its first day. */
		forecastCredits: credits.nullable(),
		endsAtMs: time,
	}),
	/** The limit of the whole server. */
	serverLimit: LimitUse.nullable(),
	running: z.array(Job),
	/** Older jobs may be running that are not listed. */
	hasMoreRunning: z.boolean(),
	recent: z.array(Job),
	warnings: z.array(z.enum(WARNINGS)),
	/** True if managers may grant credits and refund jobs. */
	mayGrant: z.boolean(),
	/** The price of one credit, if the operator has set one. */
	creditPrice: z.object({ amount: z.number(), currency: z.string() }).nullable(),
});
export type Overview = z.infer<typeof Overview>;

export const UsageQuery = z.object({
	days: z.enum(USAGE_DAYS.map(String) as [`${(typeof USAGE_DAYS)[number]}`]).default("30"),
});
const Use = z.object({ credits, results: z.int() });
export const Usage = z.object({
	/** Oldest first. */
	days: z.array(z.object({ day: z.string(), image: credits, video: credits, music: credits })),
	total: Use,
	/** The use in the same number of days before the reported ones; `null` if the journal does not reach back so far. */
	before: Use.nullable(),
	/** The most credits first. */
	members: z.array(Use.extend({ userId: discordId })),
	models: z.array(Use.extend({ model: z.string() })),
	/** The report is complete from this time on, if not from its first day. */
	completeAfterMs: time.nullable(),
});
export type Usage = z.infer<typeof Usage>;

/** `revision` counts changes. A write with an old one is a conflict, and changes nothing. */
export const SettingsDocument = z.object({ revision: z.int().min(0), settings: ServerSettings });
export type SettingsDocument = z.infer<typeof SettingsDocument>;

export const LimitsPreview = z.object({
	/** Members who have already spent more than the new limits allow. */
	membersOver: z.int(),
	/** Further members who are over unless a role allows them more: the roles of only a few members are read. */
	membersUnknown: z.int(),
});
export type LimitsPreview = z.infer<typeof LimitsPreview>;

export const SettingsChanges = z.object({
	/** Newest first. */
	changes: z.array(
		z.object({
			revision: z.int(),
			atMs: time,
			/** `null`: an API key or the operator. */
			userId: discordId.nullable(),
			/** The name of the API key that made the change. */
			keyName: z.string().nullable(),
			/** The surface on which the change was made. */
			via: z.enum(["discord", "dashboard", "apiKey"]),
			/** The changed fields in words, in the reader's language, with Discord's mentions as `<@ID>`, `<@&ID>`, `<#ID>`. */
			fields: z.array(z.string()),
		}),
	),
	nextBefore: z.int().nullable(),
});
export type SettingsChanges = z.infer<typeof SettingsChanges>;

export const CreditChange = z.object({
	/** Chosen by the page. A repeat with the same id moves credits once. */
	operationId: z.uuid(),
	amountCredits: z.int().min(1).max(CHANGE_CREDITS_MAX),
	reason: z.string().trim().min(REASON_CHARS_MIN).max(REASON_CHARS_MAX),
});
export type CreditChange = z.infer<typeof CreditChange>;

export const HistoryQuery = z.object({
	/** Only entries before this number. */
	before: z.coerce.number().int().min(1).optional(),
	userId: discordId.optional(),
	kind: z.enum(ENTRY_KINDS).optional(),
});
export const History = z.object({
	/** Newest first. */
	entries: z.array(
		z.object({
			seq: z.int(),
			atMs: time,
			kind: z.enum(ENTRY_KINDS),
			amountCredits: credits,
			/** The change of the posted credits: negative for a charge or an expiry, 0 for a hold. */
			changeCredits: credits,
			postedAfterCredits: credits,
			heldAfterCredits: credits,
			/** `null`: an API key, the operator or the bot. */
			userId: discordId.nullable(),
			/** The name of the API key that made the change. */
			keyName: z.string().nullable(),
			isOperator: z.boolean(),
			/** Monthly credits have a reason in the language of the reader. */
			reason: z.string(),
			/** The model of a job. */
			model: z.string().nullable(),
			taskId: taskId.nullable(),
		}),
	),
	/** `before` of the next page; `null` at the end. */
	nextBefore: z.int().nullable(),
});
export type History = z.infer<typeof History>;

export const JobsQuery = z.object({
	/** Only jobs before this one. */
	before: taskId.optional(),
	userId: discordId.optional(),
	model: z.string().max(100).optional(),
	state: z.enum(JOB_FILTER_STATES).optional(),
	/** Only jobs of this time or later. */
	fromMs: z.coerce.number().int().min(0).optional(),
	/** Only jobs before this time. */
	untilMs: z.coerce.number().int().min(0).optional(),
});
/** Newest first. */
export const Jobs = z.object({ jobs: z.array(Job), nextBefore: taskId.nullable() });
export const ActionOutcome = z.object({
	/** The outcome in words, in the reader's language. */
	message: z.string(),
});

export const Blocks = z.object({
	blocks: z.array(
		z.object({
			userId: discordId,
			reason: z.string(),
			byUserId: discordId,
			atMs: time,
			/** `null`: until a moderator unblocks the member. */
			untilMs: time.nullable(),
		}),
	),
});
export type Blocks = z.infer<typeof Blocks>;
export const BlockBody = z.object({
	reason: z.string().trim().min(1).max(BLOCK_REASON_CHARS_MAX),
	untilMs: time.nullable(),
});
export const FilterTest = z.object({ text: z.string().max(FILTER_TEST_CHARS_MAX), patterns });
export const FilterVerdict = z.object({
	/** The pattern that matches, or `null`. */
	pattern: z.string().nullable(),
});

/** The reader's own credits and jobs in a server. */
export const OwnAccount = z.object({
	/** `null`: no limit of their own. */
	limit: LimitUse.nullable(),
	media: z.array(LimitUse.extend({ mediaType })),
	serverAvailableCredits: credits,
});
export const Removal = z.object({
	/** The number of removed documents. */
	removed: z.int(),
	/** The number of running jobs, which stay until they end. */
	open: z.int(),
});

export const Done = z.object({});
