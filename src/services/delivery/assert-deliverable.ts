import type { MediaType } from "@atelier/media-protocol/model";
import { UserError } from "../user-error.ts";
import type { ReplyTarget } from "./reply-client.ts";

/** What may well take longer than a reply's token lives. */
const LONG: ReadonlySet<MediaType> = new Set(["video", "music"]);

/**
 * Refuses, before anything is spent, what could be made and then not be shown where it was asked for. A private result that
 * comes late is sent to its person directly, which needs no more than that they share the server with the bot.
 */
export function assertDeliverable(reply: ReplyTarget, mediaType: MediaType): void {
	if (LONG.has(mediaType) && !reply.botInGuild) throw new UserError({ key: "noWayBack" });
}
