import type { MediaType } from "../generation/model.ts";
import { UserError } from "../user-error.ts";
import type { ReplyTarget } from "./messenger.ts";
import { canBotFindReply } from "./open-rungs.ts";

/** What may well take longer than a reply's token lives. */
const LONG: ReadonlySet<MediaType> = new Set(["video", "music"]);

/** Refuses, before anything is spent, what could be made and then not be shown where it was asked for. */
export function requireWayBack(reply: ReplyTarget, mediaType: MediaType): void {
	if (LONG.has(mediaType) && !canBotFindReply(reply)) throw new UserError({ key: "noWayBack" });
}
