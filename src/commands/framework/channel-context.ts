import type { BaseInteraction } from "discord.js";
import type { Logger } from "pino";
import { readAgeRestriction, type ChannelContext, type ChannelDirectory } from "../../services/access/authorization.ts";

/** Returns the channel that the interaction carries. Without intents, the client has no channels in its cache. */
export function channelContextOf({
	channel,
	channelId,
}: Pick<BaseInteraction, "channel" | "channelId">): ChannelContext {
	const isThread = channel?.isThread() ?? false;
	return {
		channelId: channelId ?? "",
		parentId: isThread && channel && "parentId" in channel ? channel.parentId : null,
		isAgeRestricted: !isThread && channel && "nsfw" in channel ? channel.nsfw : undefined,
	};
}

/** Asks Discord only in a thread. If Discord does not respond, restricted models are not offered. */
export async function mayOfferRestrictedModels(
	channel: ChannelContext,
	channels: Pick<ChannelDirectory, "isAgeRestricted">,
	logger: Logger,
): Promise<boolean> {
	try {
		return await readAgeRestriction(channel, channels);
	} catch (error) {
		logger.warn({ err: error }, "age restriction of thread not read");
		return false;
	}
}
