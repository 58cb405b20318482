/**
 * What cannot be done on Discord itself: a person moves the clock, breaks things, and takes rights away. Every route but
 * the three lists answers with all switches as they stand then. They act on the playground alone, and are forgotten at its
 * end; what was bought is kept. What is about a server is about the first one, or about that of `?server=ID`.
 *
 * GET    /playground/controls
 * DELETE /playground/controls                      all switches as at first, no faults; the clock stays where it is
 * POST   /playground/controls/clock                { advanceMs }: forward only
 * PUT    /playground/controls/files                { bytesMax, announcedBytesMax?, requestBytesMax? }: of one file, what interactions say of it, and of a request
 * PUT    /playground/controls/access               { channelId, access: "all" | "noFiles" | "readOnly" | "none" }: what the bot may do there
 * PUT    /playground/controls/membership           { isMember }: false: only the bot's commands are in the server
 * PUT    /playground/controls/direct               { userId, isOpen }: whether this person takes direct messages
 * PUT    /playground/controls/members              { userId, locale?, permissions?, roleIds? }: null is as at first
 * PUT    /playground/controls/server               { locale?, boostLevel? }: a boost sets the limits of files as well
 * PUT    /playground/controls/servers              { count }: how many servers there are in all; beyond those with names all are alike
 * GET    /playground/controls/servers?from=N&limit=N  ServersSeen: their ids and those of their channels and people
 * POST   /playground/controls/purchases            { userId?, skuId, isForServer? }: buys an item; 409 while one is not consumed
 * DELETE /playground/controls/purchases/ID         as after a refund
 * POST   /playground/controls/gateway              { act: "close", code? } | { act: "reconnect" } | { act: "invalidate", isResumable? } | { act: "silence" } | { act: "send", payload }
 * PUT    /playground/controls/gateway              { heartbeatIntervalMs?, answersResume? }: what clients are told at their next hello; false: RESUME is never answered
 * POST   /playground/controls/events               PlantedEvent: events that are lost, or come twice
 * DELETE /playground/controls/events
 * POST   /playground/controls/expire               { interactionId }: its token is dead from now on
 * DELETE /playground/controls/messages/CHANNEL/ID  as a moderator deletes a message
 * DELETE /playground/controls/channels/CHANNEL     and all that is in it
 * POST   /playground/controls/faults               PlantedFault: what goes wrong with the bot's next requests
 * DELETE /playground/controls/faults
 * GET    /playground/controls/routes               { routes }: those that a fault may name
 * GET    /playground/controls/requests?after=ID    RequestsSeen: what the bot asked for, each with its verdict
 */
import type { APIEntitlement } from "discord-api-types/v10";
import type { PlantedEvent } from "../gateway/event-injection.ts";
import type { PageMember } from "../page-contract.ts";
import type { PlantedFault } from "../rest/fault-injection.ts";
import type { RequestRecord, VerdictCounts } from "../rest/request-record.ts";
import type { BoostLevel, ChannelAccess } from "../simulator/access.ts";

export interface ControlsState {
	readonly nowMs: number;
	/** The guild of `isBotMember`, `access`, `server` and `members`, and of the file limits. */
	readonly guild: { readonly id: string; readonly name: string };
	/** The total number of guilds. */
	readonly serverCount: number;
	readonly files: { readonly bytesMax: number; readonly announcedBytesMax: number; readonly requestBytesMax: number };
	readonly isBotMember: boolean;
	readonly access: readonly { readonly channelId: string; readonly access: ChannelAccess }[];
	readonly closedDirectUserIds: readonly string[];
	readonly faults: readonly PlantedFault[];
	readonly events: readonly PlantedEvent[];
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
