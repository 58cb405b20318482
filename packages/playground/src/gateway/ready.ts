/** The first events of a session: the bot's user and its guilds. */
import { GatewayIntentBits } from "discord-api-types/v10";
import type { Guild } from "../simulator/documents.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { applicationFlags } from "../simulator/privileged-intents.ts";
import type { Session } from "./session.ts";

export function ready(
	{ seed, members }: Simulator,
	session: Session,
	guilds: readonly Pick<Guild, "id">[],
	resumeUrl: string,
): object {
	return {
		v: session.connection?.version,
		user: { ...members.bot, verified: true, mfa_enabled: true, email: null },
		guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
		session_id: session.id,
		session_type: "normal",
		resume_gateway_url: resumeUrl,
		shard: [session.shardId, session.shardCount],
		application: { id: seed.application.id, flags: applicationFlags(seed.application.privilegedIntents) },
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

export function guildCreate({ members, channels, threads }: Simulator, guild: Guild, { intents }: Session): object {
	const seesMembers = (intents & MEMBER_INTENTS) === MEMBER_INTENTS;
	return {
		...channels.toGuild(guild),
		joined_at: members.botMember(guild).joined_at,
		large: false,
		unavailable: false,
		member_count: guild.memberIds.length + 1,
		members: seesMembers ? members.allMembers(guild) : [members.botMember(guild)],
		channels: channels.inGuild(guild).map(channels.toGuildChannel),
		threads: channels
			.inGuild(guild)
			.flatMap(({ id }) => channels.activeThreads(id, members.bot.id))
			.map((thread) => threads.serialize(thread)),
		presences: [],
		voice_states: [],
		stage_instances: [],
		guild_scheduled_events: [],
		soundboard_sounds: [],
	};
}
