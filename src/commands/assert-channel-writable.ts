import type { MessageRef } from "../i18n/message-ref.ts";
import { t } from "../i18n/messages.ts";
import { UserError } from "../services/user-error.ts";
import type { ChannelPoster } from "../services/credits/low-credits.ts";
import { guildLocaleOf, type LocaleDeps } from "./guild-locale.ts";

const POST_TIMEOUT_MS = 10_000;

/** Posts a greeting in the channel. Denies the channel if the bot cannot write there. */
export async function assertChannelWritable(
	deps: LocaleDeps & { readonly channelPoster: ChannelPoster },
	{ id: interactionId, guildId }: { readonly id: string; readonly guildId: string },
	channelId: string | null | undefined,
	greeting: MessageRef,
): Promise<void> {
	if (channelId === null || channelId === undefined) return;
	const text = t(await guildLocaleOf(guildId, deps), greeting);
	const post = { text, key: `${greeting.key}:${interactionId}` };
	const isPosted = await deps.channelPoster.post(channelId, post, AbortSignal.timeout(POST_TIMEOUT_MS));
	if (!isPosted) throw new UserError({ key: "settings.channelNotWritable", params: { channelId } });
}
