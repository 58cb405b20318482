/**
 * The admin API: actions that Discord itself does not offer, such as advancing the clock, injecting faults and changing
 * permissions. `admin-routes.ts` lists its routes below `/playground/admin`. Every route except for the lists and the recording
 * returns the whole admin state. The settings last until the playground ends; entitlements, the roles of members, the members who
 * joined or left, and deletions are stored. Guild settings concern the first guild, or the one of `?guild=ID`.
 */
import type { APIEntitlement } from "discord-api-types/v10";
import { z } from "zod";
import type { BoostLevel, BotAccess } from "../simulator/admin-settings.ts";
import type { EventFault, RequestFault } from "../fault-injection.ts";
import type { PageMember } from "../page/page-contract.ts";

export type { BoostLevel, BotAccess };

export interface AdminState {
	readonly nowMs: number;
	/** The guild of `isBotMember`, `access`, `guildSettings` and `members`, and of the file limits. */
	readonly guild: { readonly id: string; readonly name: string };
	readonly guildCount: number;
	readonly files: { readonly bytesMax: number; readonly announcedBytesMax: number; readonly requestBytesMax: number };
	readonly isBotMember: boolean;
	readonly access: readonly { readonly channelId: string; readonly access: BotAccess }[];
	readonly closedDirectUserIds: readonly string[];
	readonly faults: readonly RequestFault[];
	readonly eventFaults: readonly EventFault[];
	readonly heartbeatIntervalMs: number;
	readonly answersResume: boolean;
	readonly redirectUris: readonly string[];
	readonly guildSettings: { readonly locale: string; readonly boostLevel: BoostLevel };
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
	after: z.coerce.number().int().min(0).optional(),
	kind: z.literal(["request", "dispatch", "received"]).optional(),
	route: z.string().max(200).optional(),
	event: z.string().max(100).optional(),
	verdict: z.literal(["valid", "invalid", "unchecked"]).optional(),
	status: z.coerce.number().int().min(0).max(599).optional(),
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
