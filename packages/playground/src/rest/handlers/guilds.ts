import { apiErrors } from "../../simulator/api-error.ts";
import type { SeedGuild } from "../../simulator/seed.ts";
import { booleanParam } from "../read-request.ts";
import type { RestRequest } from "../route.ts";

/** A guild without the bot looks like a missing one. */
function guildOf({ simulator, param }: RestRequest): SeedGuild {
	const guild = simulator.guilds.find(param("guild"));
	if (!guild || !simulator.installs.isMember(guild)) throw apiErrors.unknownGuild();
	return guild;
}

export function read(request: RestRequest): object {
	const guild = guildOf(request);
	const { channels } = request.simulator;
	const count = guild.memberIds.length + 1;
	const counts = booleanParam(request.query, "with_counts")
		? { approximate_member_count: count, approximate_presence_count: count }
		: {};
	return { ...channels.toGuild(guild), ...counts };
}

export function listChannels(request: RestRequest): object {
	const guild = guildOf(request);
	const { channels } = request.simulator;
	return guild.channels.map((channel) => channels.toGuildChannel(guild, channel));
}

export function member(request: RestRequest): object {
	const guild = guildOf(request);
	const { members } = request.simulator;
	const id = request.param("user");
	if (id === members.bot.id) return members.botMember(guild);
	const found = members.find(id);
	if (!found) throw apiErrors.unknownUser();
	if (!guild.memberIds.includes(id)) throw apiErrors.unknownMember();
	return members.toMember(guild, found);
}
