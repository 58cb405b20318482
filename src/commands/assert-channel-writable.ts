import type { MessageRef } from "../i18n/message-ref.ts";
import { t } from "../i18n/messages.ts";
import { UserError } from "../services/user-error.ts";
import type { ChannelPoster } from "../services/credits/low-credits.ts";
import { guildLocaleOf, type LocaleDeps } from "./guild-locale.ts";

const POST_TIMEOUT_MS = 10_000;

/** Denies a channel that the bot cannot write in, by posting a greeting there. */
export async function assertChannelWritable(
	deps: LocaleDeps & { readonly channelPoster: ChannelPoster },
	{ id: interactionId, guildId }: { readonly id: string; readonly guildId: string },
	channelId: string | null | undefined,
	hello: MessageRef,
): Promise<void> {
	if (channelId === null || channelId === undefined) return;
	const text = t(await guildLocaleOf(guildId, deps), hello);
	const post = { text, key: `${hello.key}:${interactionId}` };
	const isPosted = await deps.channelPoster.post(channelId, post, AbortSignal.timeout(POST_TIMEOUT_MS));
	if (!isPosted) throw new UserError({ key: "settings.channelNotWritable", params: { channelId } });
}
