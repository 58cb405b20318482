import type { BaseInteraction } from "discord.js";
import type { ChannelContext } from "../services/moderation/authorization.ts";

/** Where somebody asks, as the interaction carries it: without intents the client knows no channels of its own. */
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
