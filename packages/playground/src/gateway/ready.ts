/** The first events of a session: the bot's user and its guilds. */
import { GatewayIntentBits } from "discord-api-types/v10";
import type { SeedGuild } from "../simulator/seed.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { discordTime } from "../simulator/time.ts";
import type { Session } from "./session.ts";

/** GATEWAY_MESSAGE_CONTENT_LIMITED, as small applications have it. */
export const APPLICATION_FLAGS = 1 << 19;

export function ready(
	{ seed, people }: Simulator,
	session: Session,
	servers: readonly Pick<SeedGuild, "id">[],
	resumeUrl: string,
): object {
	return {
		v: session.connection?.version,
		user: { ...people.bot, verified: true, mfa_enabled: true, email: null },
		guilds: servers.map(({ id }) => ({ id, unavailable: true })),
		session_id: session.id,
		session_type: "normal",
		resume_gateway_url: resumeUrl,
		shard: [session.shardId, session.shardCount],
		application: { id: seed.application.id, flags: APPLICATION_FLAGS },
		user_settings: {},
		private_channels: [],
		relationships: [],
		presences: [],
		guild_join_requests: [],
		geo_ordered_rtc_regions: [],
		_trace: ["playground"],
	};
}

/** Both are needed for a guild's members; without them only the bot is included. */
const MEMBER_INTENTS = GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences;

export function guildCreate({ people, places }: Simulator, server: SeedGuild, { intents }: Session): object {
	const seesMembers = (intents & MEMBER_INTENTS) === MEMBER_INTENTS;
	const others = seesMembers ? people.in(server).map((person) => people.member(server, person)) : [];
	return {
		...places.guild(server),
		joined_at: discordTime(server.createdMs),
		large: false,
		unavailable: false,
		member_count: server.memberIds.length + 1,
		members: [...others, people.botMember(server)],
		channels: server.channels.map((channel) => places.guildChannel(server, channel)),
		threads: [],
		presences: [],
		voice_states: [],
		stage_instances: [],
		guild_scheduled_events: [],
		soundboard_sounds: [],
	};
}
