import { faults } from "../../simulator/api-error.ts";
import type { SeedGuild } from "../../simulator/seed.ts";
import { booleanIn } from "../query.ts";
import type { Answer, RestRequest, RestRoom } from "../route.ts";

/** A guild without the bot looks like a missing one. */
function guildOf(request: RestRequest, { simulator }: RestRoom): SeedGuild {
	const server = simulator.servers.find(request.param("guild"));
	if (!server || !simulator.installs.isMember(server)) throw faults.unknownGuild();
	return server;
}

export function read(request: RestRequest, room: RestRoom): Answer {
	const server = guildOf(request, room);
	const { places } = room.simulator;
	const count = server.memberIds.length + 1;
	const counts = booleanIn(request.query, "with_counts")
		? { approximate_member_count: count, approximate_presence_count: count }
		: {};
	return { status: 200, body: { ...places.guild(server), ...counts } };
}

export function channels(request: RestRequest, room: RestRoom): Answer {
	const server = guildOf(request, room);
	const { places } = room.simulator;
	return { status: 200, body: server.channels.map((channel) => places.guildChannel(server, channel)) };
}

export function member(request: RestRequest, room: RestRoom): Answer {
	const server = guildOf(request, room);
	const { people } = room.simulator;
	const id = request.param("user");
	if (id === people.bot.id) return { status: 200, body: people.botMember(server) };
	const found = people.find(id);
	if (!found) throw faults.unknownUser();
	if (!server.memberIds.includes(id)) throw faults.unknownMember();
	return { status: 200, body: people.member(server, found) };
}
