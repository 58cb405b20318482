/** The events about members and bans, with the intents that they need. */
import { GatewayIntentBits } from "discord-api-types/v10";
import type { SimulatorEvent } from "../simulator/events.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { Session } from "./session.ts";

type MemberEvent = Extract<SimulatorEvent, { readonly guild: object; readonly userId: string }>;

const EVENTS = {
	memberAdd: ["GUILD_MEMBER_ADD", GatewayIntentBits.GuildMembers],
	memberUpdate: ["GUILD_MEMBER_UPDATE", GatewayIntentBits.GuildMembers],
	memberRemove: ["GUILD_MEMBER_REMOVE", GatewayIntentBits.GuildMembers],
	banAdd: ["GUILD_BAN_ADD", GatewayIntentBits.GuildModeration],
	banRemove: ["GUILD_BAN_REMOVE", GatewayIntentBits.GuildModeration],
} as const satisfies { readonly [type in MemberEvent["type"]]: readonly [string, GatewayIntentBits] };

export function createMemberEvents(deps: {
	simulator: Simulator;
	sessionsFor: (guildId: string | null, intents: number) => readonly Session[];
	dispatch: (session: Session, event: string, payload: unknown) => void;
}): (event: MemberEvent) => void {
	const { simulator, sessionsFor, dispatch } = deps;
	const { members, installs } = simulator;

	function payloadOf({ type, guild, userId }: MemberEvent): object {
		if (type === "memberAdd" || type === "memberUpdate")
			return { guild_id: guild.id, ...members.memberOf(guild, userId) };
		return { guild_id: guild.id, user: members.userOf(userId) };
	}

	return (event) => {
		if (!installs.isMember(event.guild)) return;
		const [name, intent] = EVENTS[event.type];
		// A bot receives the changes of its own member without the intent.
		const intents = event.userId === members.bot.id ? 0 : intent;
		for (const session of sessionsFor(event.guild.id, intents)) dispatch(session, name, payloadOf(event));
	};
}
