import type { BaseInteraction } from "discord.js";
import type { Place } from "../services/guilds/admission.ts";

/** Where somebody asks, as the interaction carries it: without intents the client knows no channels of its own. */
export function placeOf({ channel, channelId }: Pick<BaseInteraction, "channel" | "channelId">): Place {
	const isThread = channel?.isThread() ?? false;
	return {
		channelId: channelId ?? "",
		parentId: isThread && channel && "parentId" in channel ? channel.parentId : null,
		isAgeRestricted: !isThread && channel && "nsfw" in channel ? channel.nsfw : undefined,
	};
}
