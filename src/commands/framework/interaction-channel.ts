import type { BaseInteraction } from "discord.js";
import type { Logger } from "pino";
import {
	readAgeRestriction,
	type ChannelDirectory,
	type RequestChannel,
} from "../../services/access/request-channel.ts";

/** Returns the channel that the interaction carries. Without intents, the client has no channels in its cache. */
export function requestChannelOf({
	channel,
	channelId,
}: Pick<BaseInteraction, "channel" | "channelId">): RequestChannel {
	const isThread = channel?.isThread() ?? false;
	const parentId = isThread && channel && "parentId" in channel ? channel.parentId : null;
	return {
		channelIds: [channelId ?? "", ...(parentId === null ? [] : [parentId])],
		isAgeRestricted: !isThread && channel && "nsfw" in channel ? channel.nsfw : undefined,
	};
}

/** Asks Discord whether a thread is age-restricted. If Discord does not respond, it stays unknown, and restricted models are not offered. */
export async function withAgeRestriction(
	channel: RequestChannel,
	channels: Pick<ChannelDirectory, "isAgeRestricted">,
	logger: Logger,
): Promise<RequestChannel> {
	try {
		return { ...channel, isAgeRestricted: await readAgeRestriction(channel, channels) };
	} catch (error) {
		logger.warn({ err: error }, "age restriction of thread not read");
		return channel;
	}
}
