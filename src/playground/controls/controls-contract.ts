/**
 * What cannot be done on Discord itself: a person moves the clock, breaks things, and takes rights away. Every route answers
 * with all switches as they stand then. They act on the playground alone, and are forgotten at its end.
 *
 * GET    /playground/controls
 * DELETE /playground/controls                      all switches as at first, no faults; the clock stays where it is
 * POST   /playground/controls/clock                { advanceMs }: forward only
 * PUT    /playground/controls/files                { bytesMax, announcedBytesMax?, requestBytesMax? }: of one file, what interactions say of it, and of a request
 * PUT    /playground/controls/access               { channelId, access: "all" | "readOnly" | "none" }: what the bot may do there
 * PUT    /playground/controls/membership           { isMember }: false: only the bot's commands are in the server
 * PUT    /playground/controls/direct               { userId, isOpen }: whether this person takes direct messages
 * POST   /playground/controls/expire               { interactionId }: its token is dead from now on
 * DELETE /playground/controls/messages/CHANNEL/ID  as a moderator deletes a message
 * DELETE /playground/controls/channels/CHANNEL     and all that is in it
 * POST   /playground/controls/faults               PlantedFault: what goes wrong with the bot's next requests
 * DELETE /playground/controls/faults
 */
import type { PlantedFault } from "../rest/planted-faults.ts";
import type { ChannelAccess } from "../world/switches.ts";

export interface ControlsState {
	readonly nowMs: number;
	readonly files: { readonly bytesMax: number; readonly announcedBytesMax: number; readonly requestBytesMax: number };
	readonly isBotMember: boolean;
	readonly access: readonly { readonly channelId: string; readonly access: ChannelAccess }[];
	readonly closedDirectUserIds: readonly string[];
	readonly faults: readonly PlantedFault[];
}
