/** The simulator's state as one user sees it in one guild. */
import { ChannelType, PermissionFlagsBits } from "discord-api-types/v10";
import { type Page, type PageChannel, type PageEvent, type PageState, STATE_MESSAGES_MAX } from "../page-contract.ts";
import type { Channel } from "../simulator/channels.ts";
import type { StoredMessage } from "../simulator/documents.ts";
import type { SimulatorEvent } from "../simulator/events.ts";
import type { SeedUser, SimulatedGuild } from "../simulator/seed-from-fixture.ts";
import { PageApiError } from "./page-error.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { offeredCommands } from "../simulator/user-access.ts";

/** Longer lists are not useful. */
const GUILDS_SHOWN = 12;

/** The viewing user and guild. */
export interface Viewer {
	readonly user: SeedUser;
	readonly guild: SimulatedGuild;
}

const pageIf = (isChanged: boolean | undefined): "page" | readonly [] => (isChanged ? "page" : []);

export type View = ReturnType<typeof createUserView>;

interface ViewOptions {
	readonly isBotOnline: () => boolean;
	readonly notice: string | undefined;
}

export function createUserView(simulator: Simulator, { isBotOnline, notice }: ViewOptions) {
	const { seed, guilds, installs, members, channels, commands, messages, entitlements, serialize, overrides } =
		simulator;

	/** The channels of the guild that the user sees, each followed by its threads. */
	function visibleChannels({ user, guild }: Viewer): readonly Channel[] {
		const all = channels
			.inGuild(guild)
			.flatMap(({ id }) => [id, ...channels.activeThreads(id, user.id).map((thread) => thread.id)])
			.flatMap((id) => channels.find(id) ?? []);
		return all.filter((channel) => channels.canRead(channel, user.id));
	}

	function toPageChannel(channel: Channel, user: SeedUser): PageChannel {
		const { id } = channel;
		const offered = (): string[] => offeredCommands(simulator, channel, user).map((command) => command.id);
		if (channel.kind === "direct") {
			const { name } = seed.application;
			return {
				id,
				type: ChannelType.DM,
				name,
				topic: "Between you and the bot",
				commandIds: offered(),
				isDirect: true,
			};
		}
		const { thread, seed: own } = channel;
		const { name, topic, isAgeRestricted = false } = own;
		const { type } = channels.toChannelOrThread(channel);
		return {
			id,
			type,
			name,
			topic,
			isAgeRestricted,
			...(thread ? { parentId: thread.parentId } : { commandIds: offered() }),
		};
	}

	/** The first guilds of the user, and always the open one. */
	function guildsOf({ user, guild }: Viewer): Pick<Page, "guilds" | "hiddenGuildCount"> {
		const own = guilds.ofUser(user.id);
		const shown = own.filter((each, index) => index < GUILDS_SHOWN || each === guild);
		const listed = shown.map((each) => ({
			id: each.id,
			name: each.name,
			channelIds: visibleChannels({ user, guild: each }).map(({ id }) => id),
			hasBot: installs.isInstalled(each),
		}));
		return { guilds: listed, hiddenGuildCount: own.length - shown.length };
	}

	/** Returns whether this user may remove the bot from the guild, or add it. */
	const mayManageBot = ({ user, guild }: Viewer): boolean =>
		(members.permissions(guild, user.id) & PermissionFlagsBits.ManageGuild) !== 0n;

	function pageOf(viewer: Viewer): Page {
		const { user, guild } = viewer;
		const direct = channels.directOf(user.id);
		const shown = [...visibleChannels(viewer), ...(direct ? [direct] : [])];
		const pageChannels = shown.map((channel) => toPageChannel(channel, user));
		const commandIds = new Set(pageChannels.flatMap((channel) => channel.commandIds ?? []));
		return {
			me: members.toPageMember(guild, user),
			members: members.inGuild(guild).map((member) => members.toPageMember(guild, member)),
			guild: { id: guild.id, name: guild.name },
			...guildsOf(viewer),
			users: members.named.map((named) => ({
				user: members.toUser(named),
				locale: members.locale(named),
				guildIds: guilds.named.filter(({ memberIds }) => memberIds.includes(named.id)).map(({ id }) => id),
			})),
			guildLocale: overrides.localeOf(guild),
			mayManageBot: mayManageBot(viewer),
			skus: entitlements.skus(),
			roles: channels
				.roles(guild)
				.filter(({ id, managed }) => id !== guild.id && !managed)
				.map(({ id, name }) => ({ id, name })),
			channels: pageChannels,
			bot: { user: members.bot, online: isBotOnline() },
			notice,
			commands: commands.listIn(guild.id).filter(({ id }) => commandIds.has(id)),
		};
	}

	/** Converts an event for the user: none if the user does not see it, and "page" for a change of the page. */
	function pageEvents({ user, guild }: Viewer, event: SimulatorEvent): readonly PageEvent[] | "page" {
		const messageIfVisible = (message: StoredMessage): readonly PageEvent[] =>
			channels.canSee(message, user.id) ? [{ type: "message", message: serialize.message(message, user.id) }] : [];
		const deletionIfVisible = (message: StoredMessage): readonly PageEvent[] =>
			channels.canSee(message, user.id)
				? [{ type: "messageDelete", channelId: message.channelId, messageId: message.id }]
				: [];
		switch (event.type) {
			case "messageCreate":
			case "messageUpdate":
				return messageIfVisible(event.message);
			case "messageDelete":
				return deletionIfVisible(event.message);
			case "messageDeleteBulk":
				return event.removed.flatMap(deletionIfVisible);
			case "reactionAdd":
			case "reactionRemove":
			case "reactionRemoveEmoji":
			case "reactionRemoveAll":
				return messageIfVisible(event.target);
			case "pollVoteAdd":
			case "pollVoteRemove":
				return messageIfVisible(event.polled);
			case "threadSync":
			case "commandPermissions":
			case "webhooks":
			case "banAdd":
			case "banRemove":
			case "entitlementCreate":
			case "entitlementUpdate":
			case "entitlementDelete":
				return [];
			case "directChannel":
				return pageIf(event.userId === user.id);
			case "threadCreate":
			case "threadUpdate":
			case "threadDelete":
			case "threadMembers":
				return pageIf(guilds.find(event.thread.guildId)?.memberIds.includes(user.id));
			// The page lists the channels of all guilds of the user.
			case "channelUpdate":
			case "channelDelete":
			case "role":
			case "bot":
				return pageIf(event.guild.memberIds.includes(user.id));
			case "memberUpdate":
				return pageIf(event.guild.id === guild.id || event.userId === user.id);
			case "guild":
				return pageIf(event.guild.id === guild.id);
			// The page lists the guilds of all users.
			case "memberAdd":
			case "memberRemove":
			case "guilds":
			case "presence":
			case "view":
				return "page";
			case "interactionAnswered": {
				const { userId, modal, ...answer } = event;
				const opened = modal && { modal: { interactionId: answer.interactionId, ...modal } };
				return userId === user.id ? [{ ...answer, ...opened }] : [];
			}
			case "interactionFailed": {
				const { userId, ...failure } = event;
				return userId === user.id ? [failure] : [];
			}
		}
	}

	/** Calls `send` for every event that the user sees until the returned function is called. */
	function subscribe(viewer: Viewer, send: (event: PageEvent) => void): () => void {
		let isChanged = false;
		let sentVersions = versionsOf(pageOf(viewer));
		function sendChanges(): void {
			if (!isChanged) return;
			isChanged = false;
			const page = pageOf(viewer);
			const versions = versionsOf(page);
			const { commands: changedCommands, ...rest } = page;
			send({ type: "page", page: versions === sentVersions ? rest : { ...rest, commands: changedCommands } });
			sentVersions = versions;
		}
		const unsubscribe = simulator.events.listen((event) => {
			const converted = pageEvents(viewer, event);
			if (converted === "page") {
				// One request may cause many changes, and a page is large.
				if (!isChanged) setImmediate(sendChanges);
				isChanged = true;
				return;
			}
			for (const pageEvent of converted) {
				sendChanges();
				send(pageEvent);
			}
		});
		return () => {
			isChanged = false;
			unsubscribe();
		};
	}

	return {
		/** Selects the guild with this id, or the user's first one. */
		viewer(user: SeedUser, guildId: string | undefined): Viewer {
			const requested = guildId === undefined ? undefined : guilds.find(guildId);
			const selected = requested?.memberIds.includes(user.id) ? requested : guilds.ofUser(user.id)[0];
			if (!selected) throw new PageApiError(403, "You are in no server.");
			return { user, guild: selected };
		},
		mayManageBot,
		state: (viewer: Viewer): PageState => ({
			...pageOf(viewer),
			messages: messages
				.newest(STATE_MESSAGES_MAX, (message) => channels.canSee(message, viewer.user.id))
				.map((message) => serialize.message(message, viewer.user.id)),
		}),
		subscribe,
	};
}

/** A command that changes gets a new version. */
function versionsOf({ commands }: Page): string {
	return commands.map(({ version }) => version).join(" ");
}
