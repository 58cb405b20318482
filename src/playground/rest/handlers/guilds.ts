import { faults } from "../../world/fault.ts";
import type { Answer, RestRequest, RestRoom } from "../route.ts";

function checkGuild(request: RestRequest, { world }: RestRoom): void {
	if (request.param("guild") !== world.seed.guild.id) throw faults.unknownGuild();
}

export function read(request: RestRequest, room: RestRoom): Answer {
	checkGuild(request, room);
	const { places, people } = room.world;
	const count = people.all().length + 1;
	const counts =
		request.query.get("with_counts") === "true"
			? { approximate_member_count: count, approximate_presence_count: count }
			: {};
	return { status: 200, body: { ...places.guild(), ...counts } };
}

export function channels(request: RestRequest, room: RestRoom): Answer {
	checkGuild(request, room);
	const { places } = room.world;
	return { status: 200, body: places.guildChannels().map((channel) => places.guildChannel(channel)) };
}

export function member(request: RestRequest, room: RestRoom): Answer {
	checkGuild(request, room);
	const { people } = room.world;
	const id = request.param("user");
	if (id === people.bot.id) return { status: 200, body: people.botMember() };
	const found = people.find(id);
	if (!found) throw faults.unknownMember();
	return { status: 200, body: people.member(found) };
}
