import type { BaseInteraction } from "discord.js";
import type { ChannelContext } from "../../services/moderation/authorization.ts";

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
