/** The documents of the operator's pages. */
import { z } from "zod";
import { Balance, creditPrice, History } from "./credits.ts";
import { discordId } from "../server-settings.ts";
import { keyId } from "./api-keys.ts";
import { Members } from "./members.ts";
import { credits, pageOf, time } from "./values.ts";
import { STUDIO_KEY_NAME_CHARS_MAX, SERVER_SEARCH_CHARS_MAX } from "../limits.ts";

const SERVER_POSITION_CHARS_MAX = 200;
export const ACCOUNT_NAME = /^[A-Za-z0-9._-]{1,64}$/;
export const CHECK_GRADES = ["ok", "note", "warn", "fix"] as const;
/** The periods of a spend cap: those of `atelier keys create`. */
export const CAP_PERIODS = ["day", "week", "month", "ever"] as const;
export const KEY_STATES = ["good", "expired", "revoked"] as const;

const count = z.int().min(0);
/** The last known name; `null` if Discord never told it. */
const serverName = z.string().nullable();

export const OperatorServersQuery = z.object({
	/** Only servers whose id begins with these digits, or whose name contains this text. */
	search: z.string().max(SERVER_SEARCH_CHARS_MAX).optional(),
	/** Only servers after this position: `next` of the page before. */
	after: z.string().max(SERVER_POSITION_CHARS_MAX).optional(),
});
/** Servers that used the bot, by id. A search by name also finds those that have not used it. */
export const OperatorServers = pageOf(
	z.object({
		id: discordId,
		name: serverName,
		availableCredits: credits,
		heldCredits: credits,
		/** In the present month of the server. */
		spentCredits: credits,
	}),
	z.string(),
).extend({
	/** False while the bot reads the names from Discord: a search by name may miss servers. */
	areNamesKnown: z.boolean(),
	creditPrice,
});
export type OperatorServers = z.infer<typeof OperatorServers>;
export const OperatorServer = z.object({
	id: discordId,
	name: serverName,
	balance: Balance,
	month: z.object({ spentCredits: credits, forecastCredits: credits.nullable(), endsAtMs: time }),
	isPaused: z.boolean(),
	runningJobs: count,
	/** The newest entries of the journal. */
	entries: History.shape.items,
	/** The members who made the entries. Those that Discord did not return are missing. */
	members: Members.shape.members,
	creditPrice,
});

/** The health of this process only; other processes of the bot have their own. */
export const OperatorHealth = z.object({
	startedAtMs: time,
	version: z.string(),
	isGatewayUp: z.boolean(),
	media: z.object({ isUp: z.boolean(), sinceMs: time.nullable(), reason: z.string().nullable() }),
	/** `null` if another media service is configured. */
	studio: z
		.object({
			openTasks: count,
			engines: z.array(
				z.object({ name: z.string(), health: z.enum(["up", "degraded", "down"]), running: count, slots: count }),
			),
		})
		.nullable(),
	queue: z.object({
		isShared: z.boolean(),
		openTasks: count,
		/** Tasks past their deadline. */
		overdueTasks: count,
		/** The delay of the most overdue run of a task; `null` if the queue does not answer. */
		oldestOverdueRunMs: z.number().min(0).nullable(),
	}),
	/** Attempts since the start. */
	deliveries: z.object({ delivered: count, undelivered: count, delayed: count, failed: count }),
	/** The last complete audit of the ledger, by any process; `null` before the first. */
	audit: z.object({ atMs: time, accounts: count, findings: count }).nullable(),
});
export type OperatorHealth = z.infer<typeof OperatorHealth>;

export const OperatorChecks = z.object({
	checks: z.array(
		z.object({
			title: z.string(),
			results: z.array(
				z.object({
					grade: z.enum(CHECK_GRADES),
					text: z.string(),
					details: z.array(z.string()),
					advice: z.string().nullable(),
				}),
			),
		}),
	),
});
export type OperatorChecks = z.infer<typeof OperatorChecks>;

export const OperatorStudio = z.object({
	/** `false` if another media service is configured: its accounts are in its own store. */
	isBuiltIn: z.boolean(),
	accounts: z.array(
		z.object({
			account: z.string(),
			createdAtMs: time,
			availableCredits: credits,
			heldCredits: credits,
			/** The account of this bot, whose key cannot be revoked here. */
			isInternal: z.boolean(),
			keys: z.array(
				z.object({
					id: keyId,
					name: z.string(),
					state: z.enum(KEY_STATES),
					createdAtMs: time,
					expiresAtMs: time.nullable(),
					/** The most that the key may spend; `null`: only the credits of its account limit it. */
					cap: z.object({ credits, per: z.enum(CAP_PERIODS) }).nullable(),
				}),
			),
		}),
	),
});
export type OperatorStudio = z.infer<typeof OperatorStudio>;
export const NewStudioKeyBody = z.object({
	account: z.string().regex(ACCOUNT_NAME, { error: "expected 1 to 64 letters, digits, dots, dashes or underscores" }),
	name: z.string().trim().min(1).max(STUDIO_KEY_NAME_CHARS_MAX),
});
/** `key` is not shown again: the store contains only its hash. */
export const CreatedStudioKey = OperatorStudio.extend({ key: z.string() });
