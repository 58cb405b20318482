import { say, type MessageRef } from "../i18n/messages.ts";
import { UserError } from "../services/user-error.ts";
import type { Services } from "./command.ts";
import { guildLocaleOf } from "./guild-locale.ts";

const SAY_TIMEOUT_MS = 10_000;

/** A channel that the bot cannot write in is refused now, and not when there is something to tell. */
export async function assertChannelWritable(
	services: Pick<Services, "announcer" | "languages" | "settings">,
	{ id: interactionId, guildId }: { readonly id: string; readonly guildId: string },
	channelId: string | null | undefined,
	hello: MessageRef,
): Promise<void> {
	if (channelId === null || channelId === undefined) return;
	const text = say(await guildLocaleOf(guildId, services), hello);
	const announcement = { text, key: `${hello.key}:${interactionId}` };
	const wasSaid = await services.announcer.post(channelId, announcement, AbortSignal.timeout(SAY_TIMEOUT_MS));
	if (!wasSaid) throw new UserError({ key: "channelNotWritable", params: { channelId } });
}
