/** The world through one person's eyes. */
import type { APIApplicationCommand } from "discord-api-types/v10";
import type { PageChannel, PageEvent, PageState } from "../page-contract.ts";
import type { WorldEvent } from "../world/events.ts";
import { seenBy } from "../world/seen-by.ts";
import type { SeedMember } from "../world/seed.ts";
import type { StoredMessage } from "../world/stored-message.ts";
import type { World } from "../world/world.ts";

const MESSAGES_SHOWN = 200;

export interface View {
	readonly state: (person: SeedMember) => PageState;
	/** What of this event the person sees, if anything. */
	readonly event: (person: SeedMember, event: WorldEvent) => PageEvent | undefined;
}

export function createView(world: World, isBotOnline: () => boolean): View {
	const { seed, people, places, commands, messages, show } = world;

	const isVisible = (person: SeedMember, message: StoredMessage): boolean => seenBy(world, person, message);

	function channelsOf(person: SeedMember): PageChannel[] {
		const direct = places.directChannelsOf(person.id).map(({ id }) => ({
			id,
			name: seed.application.name,
			topic: "Between you and the bot",
			isDirect: true,
		}));
		const channels = places.guildChannels().filter(({ id }) => world.switches.accessTo(id) !== "gone");
		const shown = channels.map(({ id, name, topic, isAgeRestricted }) => ({
			id,
			name,
			topic,
			...(isAgeRestricted && { isAgeRestricted }),
		}));
		return [...shown, ...direct];
	}

	const commandsOf = (person: SeedMember): APIApplicationCommand[] =>
		commands.usable(seed.guild.id, {
			userId: person.id,
			roleIds: people.roleIds(person),
			permissions: people.permissions(person),
		});

	const peopleFor = (person: SeedMember): Pick<PageState, "me" | "members" | "guildLocale" | "commands"> => ({
		me: people.page(person),
		members: people.all().map((member) => people.page(member)),
		guildLocale: world.switches.guildLocale,
		commands: commandsOf(person),
	});

	return {
		state: (person) => ({
			...peopleFor(person),
			guild: seed.guild,
			items: world.shop.items(),
			roles: places
				.guild()
				.roles.filter(({ id, managed }) => id !== seed.guild.id && !managed)
				.map(({ id, name }) => ({ id, name })),
			channels: channelsOf(person),
			bot: { user: people.bot, online: isBotOnline() },
			messages: messages
				.newest(MESSAGES_SHOWN, (message) => isVisible(person, message))
				.map((message) => show.message(message)),
		}),
		event(person, event) {
			switch (event.type) {
				case "messageCreate":
				case "messageUpdate":
					return isVisible(person, event.message)
						? { type: "message", message: show.message(event.message) }
						: undefined;
				case "messageDelete": {
					const { channelId, id: messageId } = event.message;
					return isVisible(person, event.message) ? { type: "messageDelete", channelId, messageId } : undefined;
				}
				case "directChannel":
					return event.userId === person.id ? { type: "channels", channels: channelsOf(person) } : undefined;
				case "commands":
					return { type: "commands", commands: commandsOf(person) };
				case "presence":
					return { type: "presence", online: event.online };
				case "entitlementCreate":
				case "entitlementUpdate":
				case "entitlementDelete":
					return undefined;
				case "people":
				case "guild":
					return { type: "people", ...peopleFor(person) };
				case "interactionAnswered": {
					const { interactionId, messageId, modal, userId } = event;
					if (userId !== person.id) return undefined;
					return {
						type: "interactionAnswered",
						interactionId,
						messageId,
						...(modal && { modal: { interactionId, ...modal } }),
					};
				}
				case "interactionFailed": {
					const { kind, interactionId, reason } = event;
					return event.userId === person.id ? { type: "interactionFailed", kind, interactionId, reason } : undefined;
				}
			}
		},
	};
}
