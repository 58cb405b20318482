/**
 * The admin API: actions that Discord itself does not offer, such as advancing the clock, injecting faults and changing
 * permissions. Every route except for the three lists returns the whole admin state. The state lasts until the playground
 * ends; entitlements are stored. Guild settings concern the first guild, or the one of `?server=ID`.
 *
 * GET    /playground/controls
 * DELETE /playground/controls                      resets all settings and faults, but not the clock
 * POST   /playground/controls/clock                { advanceMs }: advances the clock
 * PUT    /playground/controls/files                { bytesMax, announcedBytesMax?, requestBytesMax? }: limits per file, as announced in interactions, and per request
 * PUT    /playground/controls/access               { channelId, access: "all" | "noFiles" | "readOnly" | "none" }: the bot's access
 * PUT    /playground/controls/membership           { isMember }: false: only the bot's commands are in the guild
 * PUT    /playground/controls/direct               { userId, isOpen }: whether this user accepts direct messages
 * PUT    /playground/controls/members              { userId, locale?, permissions?, roleIds? }: null resets
 * PUT    /playground/controls/server               { locale?, boostLevel? }: the boost level also sets the file limits
 * PUT    /playground/controls/servers              { count }: the total number of guilds; those without a name are alike
 * GET    /playground/controls/servers?from=N&limit=N  ServersSeen: their ids and those of their channels and members
 * POST   /playground/controls/purchases            { userId?, skuId, isForServer? }: buys an item; 409 while one is not consumed
 * DELETE /playground/controls/purchases/ID         refunds it
 * POST   /playground/controls/gateway              { act: "close", code? } | { act: "reconnect" } | { act: "invalidate", isResumable? } | { act: "silence" } | { act: "send", payload }
 * PUT    /playground/controls/gateway              { heartbeatIntervalMs?, answersResume? }: for the next connections; false: RESUME stays unanswered
 * POST   /playground/controls/events               InjectedEvent: drops or repeats events
 * DELETE /playground/controls/events
 * POST   /playground/controls/expire               { interactionId }: expires its token
 * DELETE /playground/controls/messages/CHANNEL/ID  deletes a message like a moderator
 * DELETE /playground/controls/channels/CHANNEL     deletes a channel with its messages
 * POST   /playground/controls/faults               InjectedFault: a fault for the bot's next requests
 * DELETE /playground/controls/faults
 * GET    /playground/controls/routes               { routes }: routes for faults
 * GET    /playground/controls/requests?after=ID    RequestsSeen: the bot's requests with their verdicts
 */
import type { APIEntitlement } from "discord-api-types/v10";
import type { InjectedEvent } from "../gateway/event-injection.ts";
import type { PageMember } from "../page-contract.ts";
import type { InjectedFault } from "../rest/fault-injection.ts";
import type { RequestRecord, VerdictCounts } from "../rest/request-record.ts";
import type { BoostLevel, ChannelAccess } from "../simulator/access.ts";

export interface AdminState {
	readonly nowMs: number;
	/** The guild of `isBotMember`, `access`, `server` and `members`, and of the file limits. */
	readonly guild: { readonly id: string; readonly name: string };
	/** The total number of guilds. */
	readonly serverCount: number;
	readonly files: { readonly bytesMax: number; readonly announcedBytesMax: number; readonly requestBytesMax: number };
	readonly isBotMember: boolean;
	readonly access: readonly { readonly channelId: string; readonly access: ChannelAccess }[];
	readonly closedDirectUserIds: readonly string[];
	readonly faults: readonly InjectedFault[];
	readonly events: readonly InjectedEvent[];
	readonly heartbeatIntervalMs: number;
	readonly answersResume: boolean;
	readonly server: { readonly locale: string; readonly boostLevel: BoostLevel };
	readonly members: readonly PageMember[];
	/** Items that can be bought. */
	readonly items: readonly { readonly id: string; readonly name: string }[];
	/** Entitlements, oldest first. */
	readonly entitlements: readonly APIEntitlement[];
}

export interface ServersSeen {
	readonly serverCount: number;
	readonly servers: readonly {
		readonly id: string;
		readonly name: string;
		readonly channelIds: readonly string[];
		/** The owner first. */
		readonly memberIds: readonly string[];
	}[];
}

export interface RequestsSeen {
	/** The last 500 at most, oldest first. */
	readonly requests: readonly RequestRecord[];
	/** Counts since the start. */
	readonly counts: VerdictCounts;
}
