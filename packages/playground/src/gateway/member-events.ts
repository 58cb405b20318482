/** The events about members and bans, with the intents that they need. */
import { GatewayIntentBits } from "discord-api-types/v10";
import type { SimulatorEvent } from "../simulator/events.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { SendEvent } from "./session.ts";

type MemberEvent = Extract<SimulatorEvent, { readonly guild: object; readonly userId: string }>;

const EVENTS = {
	memberAdd: ["GUILD_MEMBER_ADD", GatewayIntentBits.GuildMembers],
	memberUpdate: ["GUILD_MEMBER_UPDATE", GatewayIntentBits.GuildMembers],
	memberRemove: ["GUILD_MEMBER_REMOVE", GatewayIntentBits.GuildMembers],
	banAdd: ["GUILD_BAN_ADD", GatewayIntentBits.GuildModeration],
	banRemove: ["GUILD_BAN_REMOVE", GatewayIntentBits.GuildModeration],
} as const satisfies { readonly [type in MemberEvent["type"]]: readonly [string, GatewayIntentBits] };

export function createMemberEvents(
	{ members, installs }: Simulator,
	sendEvent: SendEvent,
): (event: MemberEvent) => void {
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
		sendEvent(name, { guildId: event.guild.id, intents }, () => payloadOf(event));
	};
}
