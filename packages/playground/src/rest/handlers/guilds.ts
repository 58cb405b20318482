import { apiErrors } from "../../simulator/api-error.ts";
import type { SeedGuild } from "../../simulator/seed.ts";
import { booleanParam } from "../read-request.ts";
import type { RestRequest, RestContext } from "../route.ts";

/** A guild without the bot looks like a missing one. */
function guildOf(request: RestRequest, { simulator }: RestContext): SeedGuild {
	const guild = simulator.guilds.find(request.param("guild"));
	if (!guild || !simulator.installs.isMember(guild)) throw apiErrors.unknownGuild();
	return guild;
}

export function read(request: RestRequest, context: RestContext): object {
	const guild = guildOf(request, context);
	const { channels } = context.simulator;
	const count = guild.memberIds.length + 1;
	const counts = booleanParam(request.query, "with_counts")
		? { approximate_member_count: count, approximate_presence_count: count }
		: {};
	return { ...channels.toGuild(guild), ...counts };
}

export function listChannels(request: RestRequest, context: RestContext): object {
	const guild = guildOf(request, context);
	const { channels } = context.simulator;
	return guild.channels.map((channel) => channels.toGuildChannel(guild, channel));
}

export function member(request: RestRequest, context: RestContext): object {
	const guild = guildOf(request, context);
	const { members } = context.simulator;
	const id = request.param("user");
	if (id === members.bot.id) return members.botMember(guild);
	const found = members.find(id);
	if (!found) throw apiErrors.unknownUser();
	if (!guild.memberIds.includes(id)) throw apiErrors.unknownMember();
	return members.toMember(guild, found);
}
