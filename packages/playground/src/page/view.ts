/** The simulator's state as one user sees it in one guild. */
import { type APIApplicationCommand, PermissionFlagsBits } from "discord-api-types/v10";
import type { PageChannel, PageEvent, PageServer, PageState } from "../page-contract.ts";
import type { SimulatorEvent } from "../simulator/events.ts";
import { seenBy } from "../simulator/visibility.ts";
import type { SeedChannel, SeedMember, SeedGuild } from "../simulator/seed.ts";
import type { StoredMessage } from "../simulator/stored-message.ts";
import type { Simulator } from "../simulator/simulator.ts";

const MESSAGES_SHOWN = 200;
/** Longer lists are not useful. */
const SERVERS_SHOWN = 12;

/** The viewing user and guild. */
export interface Viewer {
	readonly person: SeedMember;
	readonly server: SeedGuild;
}

export interface View {
	/** Selects the guild with this id, or the user's first one. */
	readonly viewer: (person: SeedMember, serverId: string | undefined) => Viewer;
	readonly state: (viewer: Viewer) => PageState;
	/** Converts an event for the user; `undefined` if the user does not see it. */
	readonly event: (viewer: Viewer, event: SimulatorEvent) => PageEvent | undefined;
	/** Returns whether this user may remove the bot from the guild, or add it. */
	readonly mayManageBot: (viewer: Viewer) => boolean;
}

export function createView(simulator: Simulator, isBotOnline: () => boolean): View {
	const { seed, servers, installs, people, places, commands, messages, show, switches } = simulator;

	const isVisible = (person: SeedMember, message: StoredMessage): boolean => seenBy(simulator, person, message);
	const channelsIn = ({ channels }: SeedGuild): readonly SeedChannel[] =>
		channels.filter(({ id }) => switches.accessTo(id) !== "gone");

	function channelsOf({ person, server }: Viewer): PageChannel[] {
		const direct = places.directChannelsOf(person.id).map(({ id }) => ({
			id,
			name: seed.application.name,
			topic: "Between you and the bot",
			isDirect: true,
		}));
		const shown = channelsIn(server).map(({ id, name, topic, isAgeRestricted }) => ({
			id,
			name,
			topic,
			...(isAgeRestricted && { isAgeRestricted }),
		}));
		return [...shown, ...direct];
	}

	function commandsOf({ person, server }: Viewer): APIApplicationCommand[] {
		if (!installs.isInstalled(server)) return [];
		const roleIds = people.roleIds(server, person);
		return commands.usable(server.id, {
			userId: person.id,
			roleIds,
			permissions: people.permissions(server, person),
		});
	}

	function serversOf({ person, server }: Viewer): Pick<PageState, "servers" | "serversUnshown"> {
		const shown = servers.of(person.id, SERVERS_SHOWN);
		// Always includes the open guild.
		const all = shown.some(({ id }) => id === server.id) ? shown : [...shown, server];
		const serversUnshown = Math.max(0, servers.countOf(person.id) - all.length);
		return { servers: all.map((each) => entry(each)), serversUnshown };
	}
	const entry = (server: SeedGuild): PageServer => ({
		id: server.id,
		name: server.name,
		channelIds: channelsIn(server).map(({ id }) => id),
		hasBot: installs.isInstalled(server),
	});

	const mayManageBot = ({ person, server }: Viewer): boolean =>
		(people.permissions(server, person) & PermissionFlagsBits.ManageGuild) !== 0n;

	const peopleFor = (viewer: Viewer): Omit<Extract<PageEvent, { type: "people" }>, "type"> => ({
		me: people.page(viewer.server, viewer.person),
		members: people.in(viewer.server).map((member) => people.page(viewer.server, member)),
		guildLocale: switches.localeOf(viewer.server),
		mayManageBot: mayManageBot(viewer),
		...serversOf(viewer),
		commands: commandsOf(viewer),
	});

	return {
		viewer(person, serverId) {
			const asked = serverId === undefined ? undefined : servers.find(serverId);
			const own = asked?.memberIds.includes(person.id) ? asked : servers.of(person.id, 1)[0];
			if (!own) throw new Error("the user is in no guild");
			return { person, server: own };
		},
		mayManageBot,
		state: (viewer) => ({
			...peopleFor(viewer),
			guild: { id: viewer.server.id, name: viewer.server.name },
			people: people.named.map((person) => ({
				user: people.user(person),
				locale: people.locale(person),
				serverIds: seed.servers.filter(({ memberIds }) => memberIds.includes(person.id)).map(({ id }) => id),
			})),
			items: simulator.shop.items(),
			roles: places
				.roles(viewer.server)
				.filter(({ id, managed }) => id !== viewer.server.id && !managed)
				.map(({ id, name }) => ({ id, name })),
			channels: channelsOf(viewer),
			bot: { user: people.bot, online: isBotOnline() },
			messages: messages
				.newest(MESSAGES_SHOWN, (message) => isVisible(viewer.person, message))
				.map((message) => show.message(message)),
		}),
		event(viewer, event) {
			const { person } = viewer;
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
					return event.userId === person.id ? { type: "channels", channels: channelsOf(viewer) } : undefined;
				case "commands":
					return { type: "commands", commands: commandsOf(viewer) };
				case "presence":
					return { type: "presence", online: event.online };
				case "entitlementCreate":
				case "entitlementUpdate":
				case "entitlementDelete":
					return undefined;
				case "people":
				case "guild":
				case "bot":
				case "servers":
					return { type: "people", ...peopleFor(viewer) };
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
