import { say, type Saying } from "../services/messages/messages.ts";
import { UserError } from "../services/user-error.ts";
import type { Services } from "./command.ts";

const SAY_TIMEOUT_MS = 10_000;

/** A channel that the bot cannot write in is refused now, and not when there is something to tell. */
export async function requireWritable(
	{ announcer }: Pick<Services, "announcer">,
	channelId: string | null | undefined,
	hello: Saying,
): Promise<void> {
	if (channelId === null || channelId === undefined) return;
	const wasSaid = await announcer.announce(channelId, say("en", hello), AbortSignal.timeout(SAY_TIMEOUT_MS));
	if (!wasSaid) throw new UserError({ key: "channelNotWritable", params: { channelId } });
}
