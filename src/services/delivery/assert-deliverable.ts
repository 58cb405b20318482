import type { MediaType } from "@atelier/media-protocol/model";
import { UserError } from "../user-error.ts";
import type { ReplyTarget } from "./reply-client.ts";

/** Media types that may take longer than a token lives. */
const LONG: ReadonlySet<MediaType> = new Set(["video", "music"]);

/**
 * Denies a request whose result could not be delivered where the command was used. A late private result is sent as a
 * direct message, which only requires a shared server.
 */
export function assertDeliverable(reply: ReplyTarget, mediaType: MediaType): void {
	if (LONG.has(mediaType) && !reply.botInGuild) throw new UserError({ key: "noWayBack" });
}
