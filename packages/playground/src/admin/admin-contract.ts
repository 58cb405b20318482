/**
 * The admin API: actions that Discord itself does not offer, such as advancing the clock, injecting faults and changing permissions.
 * `GET /playground/admin/NAME` reads, with the parameters of `adminInputs` in the query; the routes of changes are `POST`, with a JSON
 * body, and return the whole admin state. The settings last until the playground ends; entitlements, the roles of members, the members
 * who joined or left, and deletions are stored. Guild settings concern the first guild, or the one of `?guild=ID`.
 */
import { type APIEntitlement, Locale } from "discord-api-types/v10";
import { z } from "zod";
import type { Recording } from "../recording/recording-contract.ts";
import { type BoostLevel, REQUEST_BYTES_CEILING, REQUEST_BYTES_MAX } from "../simulator/admin-settings.ts";
import type { Overwrite } from "../simulator/permissions.ts";
import { GUILDS_MAX } from "../limits.ts";
import { Fault, GatewayAction } from "../fault-injection.ts";
import type { PageMember } from "../page/page-contract.ts";

export type { BoostLevel };

export interface AdminState {
	readonly nowMs: number;
	/** The guild of `isBotMember`, `overwrites`, `guildSettings`, `roles` and `members`, and of the file limits. */
	readonly guild: { readonly id: string; readonly name: string };
	readonly guildCount: number;
	readonly files: { readonly bytesMax: number; readonly announcedBytesMax: number; readonly requestBytesMax: number };
	readonly isBotMember: boolean;
	readonly overwrites: readonly { readonly channelId: string; readonly overwrites: readonly Overwrite[] }[];
	readonly closedDirectUserIds: readonly string[];
	readonly faults: readonly Fault[];
	readonly heartbeatIntervalMs: number;
	readonly answersResume: boolean;
	readonly redirectUris: readonly string[];
	readonly guildSettings: { readonly locale: string; readonly boostLevel: BoostLevel };
	/** All roles, also @everyone and that of the bot. */
	readonly roles: readonly { readonly id: string; readonly name: string; readonly permissions: string }[];
	readonly botRoleId: string;
	readonly members: readonly PageMember[];
	/** Items that can be bought. */
	readonly skus: readonly { readonly id: string; readonly name: string }[];
	/** Entitlements, oldest first. */
	readonly entitlements: readonly APIEntitlement[];
}

export interface GuildList {
	readonly guildCount: number;
	readonly guilds: readonly {
		readonly id: string;
		readonly name: string;
		readonly channelIds: readonly string[];
		/** The owner first. */
		readonly memberIds: readonly string[];
	}[];
}

export interface RouteList {
	/** The routes that a fault can select. */
	readonly routes: readonly string[];
}

/** Selects records of the log: those after an id, of one kind, route or event, and with one verdict or status. */
export const LogQuery = z.object({
	after: z.coerce.number<number>().int().min(0).optional(),
	kind: z.literal(["request", "dispatch", "received"]).optional(),
	route: z.string().max(200).optional(),
	event: z.string().max(100).optional(),
	verdict: z.literal(["valid", "invalid", "unchecked"]).optional(),
	status: z.coerce.number<number>().int().min(0).max(599).optional(),
});
export type LogQuery = Readonly<z.infer<typeof LogQuery>>;

export interface LogList {
	/** The last 500 at most, oldest first. */
	readonly records: readonly LogRecord[];
	/** Counts of requests since the start. */
	readonly counts: VerdictCounts;
}

/** `unchecked`: rejected before validation, or an unknown route. */
export type Verdict = "valid" | "invalid" | "unchecked";

/** A body as JSON. One above 16 KiB is cut: `text` is its start. `bytes` is the size of the whole body. */
export type LoggedBody =
	| { readonly json: unknown; readonly bytes: number }
	| { readonly text: string; readonly bytes: number };

export type LogRecord = RequestRecord | GatewayRecord;

export interface RequestRecord {
	/** Starts at 1. */
	readonly id: number;
	readonly kind: "request";
	readonly atMs: number;
	readonly method: string;
	/** Without tokens. */
	readonly path: string;
	/** As in `RouteList`; `null` for an unknown route. */
	readonly route: string | null;
	/** 0: the connection was closed. */
	readonly status: number;
	readonly verdict: Verdict;
	/** The problems, one per line. */
	readonly errors: readonly string[];
	/** True if a fault replaced the response; a fault that only delays does not count. */
	readonly isInjected: boolean;
	/** The User-Agent of the client. */
	readonly client: string;
	/** The scheme of the Authorization header, such as `Bot`; `null` without one. */
	readonly authorization: string | null;
	/** The reason for the audit log; `null` without one. */
	readonly reason: string | null;
	/** True if the body was `application/x-www-form-urlencoded`. */
	readonly isForm: boolean;
	readonly files: readonly { readonly field: string; readonly name: string; readonly bytes: number }[];
	readonly request?: LoggedBody;
	readonly response?: LoggedBody;
}

/** A packet of the gateway, sent to the bot (`dispatch`) or received from it. Heartbeats are not logged. */
export interface GatewayRecord {
	readonly id: number;
	readonly kind: "dispatch" | "received";
	readonly atMs: number;
	/** The name of the event, such as `INTERACTION_CREATE`, or of the opcode, such as `IDENTIFY`. */
	readonly event: string;
	readonly body: LoggedBody;
}

export type VerdictCounts = { readonly [verdict in Verdict]: number };

const ADVANCE_MS_MAX = 30 * 24 * 60 * 60_000;
const FILE_BYTES_MAX = 1024 * 1024 * 1024;
const LISTED_GUILDS_MAX = 1_000;
const REDIRECT_URIS_MAX = 10;

/** An id or a bit field. */
const decimal = z.string().regex(/^\d{1,20}$/);
const locale = z.literal(Object.values(Locale) as `${Locale}`[]);
const permissionBits = decimal.transform((digits) => BigInt(digits));
const fileBytes = z.number().int().min(1).max(FILE_BYTES_MAX);
const none: z.ZodType<object, Partial<Record<string, never>> | undefined> = z.object({}).default({});

/** The parameters of each route. */
export const adminInputs = {
	state: none,
	reset: none,
	advanceClock: z.strictObject({ advanceMs: z.number().int().min(0).max(ADVANCE_MS_MAX) }),
	setFiles: z.strictObject({
		bytesMax: fileBytes,
		announcedBytesMax: fileBytes.optional(),
		requestBytesMax: z.number().int().min(1).max(REQUEST_BYTES_CEILING).default(REQUEST_BYTES_MAX),
	}),
	expire: z.strictObject({ interactionId: decimal }),
	/** Replaces the overwrites of a channel: 0 is a role, 1 a member. */
	setOverwrites: z.strictObject({
		channelId: decimal,
		overwrites: z
			.array(
				z.strictObject({
					id: decimal,
					type: z.literal([0, 1]),
					allow: decimal.default("0"),
					deny: decimal.default("0"),
				}),
			)
			.max(100)
			.readonly(),
	}),
	deleteMessage: z.strictObject({ channelId: decimal, messageId: decimal }),
	deleteChannel: z.strictObject({ channelId: decimal }),
	setAcceptsDirectMessages: z.strictObject({ userId: decimal, isOpen: z.boolean() }),
	/** `null` resets a field; absent fields stay unchanged. */
	setMember: z.strictObject({
		userId: decimal,
		locale: locale.nullable().optional(),
		roleIds: z.array(decimal).max(250).readonly().nullable().optional(),
	}),
	/** A user joins the server, without roles. */
	addMember: z.strictObject({ userId: decimal }),
	removeMember: z.strictObject({ userId: decimal }),
	setBotMembership: z.strictObject({ isMember: z.boolean() }),
	/** The permissions of a role, also of @everyone or the bot's own; `null` for those of the fixture. */
	setRole: z.strictObject({ roleId: decimal, permissions: permissionBits.nullable() }),
	setGuild: z.strictObject({ locale: locale.optional(), boostLevel: z.literal([0, 1, 2, 3]).optional() }),
	/** The total number of guilds; those without a name of their own are alike. */
	setGuildCount: z.strictObject({ count: z.number().int().min(1).max(GUILDS_MAX) }),
	guilds: z.object({
		from: z.coerce.number<number>().int().min(0).default(0),
		limit: z.coerce.number<number>().int().min(1).max(LISTED_GUILDS_MAX).default(100),
	}),
	/** The first user buys by default. */
	buy: z.strictObject({ userId: decimal.optional(), skuId: decimal, isForGuild: z.boolean().default(false) }),
	refund: z.strictObject({ entitlementId: decimal }),
	gateway: GatewayAction,
	setGateway: z.strictObject({
		heartbeatIntervalMs: z.number().int().min(50).max(120_000).optional(),
		answersResume: z.boolean().optional(),
	}),
	setRedirectUris: z.strictObject({
		redirectUris: z
			.array(z.url({ protocol: /^https?$/ }))
			.max(REDIRECT_URIS_MAX)
			.readonly(),
	}),
	inject: Fault,
	clearFaults: none,
	routes: none,
	log: LogQuery,
	recording: none,
	clearRecording: none,
} satisfies { readonly [route: string]: z.ZodType<object> };

export type AdminInputs = typeof adminInputs;
export type AdminRouteName = keyof AdminInputs;

/** The responses of the routes that change nothing. The others return the admin state. */
export interface AdminReads {
	readonly state: AdminState;
	readonly guilds: GuildList;
	readonly routes: RouteList;
	readonly log: LogList;
	readonly recording: Recording;
}
