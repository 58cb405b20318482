/** The simulator's state as one user sees it in one guild. */
import { type APIApplicationCommand, ChannelType, PermissionFlagsBits } from "discord-api-types/v10";
import {
	type PageChannel,
	type PageEvent,
	type PageGuild,
	type PageState,
	STATE_MESSAGES_MAX,
} from "../page-contract.ts";
import type { StoredMessage } from "../simulator/documents.ts";
import type { SimulatorEvent } from "../simulator/events.ts";
import type { SeedUser, SimulatedGuild } from "../simulator/seed-from-fixture.ts";
import { PageApiError } from "./page-error.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { isPrivate } from "../simulator/threads.ts";

/** Longer lists are not useful. */
const GUILDS_SHOWN = 12;

/** The viewing user and guild. */
export interface Viewer {
	readonly user: SeedUser;
	readonly guild: SimulatedGuild;
}

export type View = ReturnType<typeof createUserView>;

interface ViewOptions {
	readonly isBotOnline: () => boolean;
	readonly notice: string | undefined;
}

export function createUserView(simulator: Simulator, { isBotOnline, notice }: ViewOptions) {
	const { seed, guilds, installs, members, channels, commands, messages, serialize, overrides } = simulator;

	function channelsOf({ user, guild }: Viewer): PageChannel[] {
		const shown = channels.inGuild(guild).flatMap(({ id }) => {
			const channel = channels.find(id);
			if (channel?.kind !== "guild" || !channels.canRead(channel, user.id)) return [];
			const { name, topic, isAgeRestricted } = channel.seed;
			const shownThreads = channels.activeThreads(id, user.id).map((thread) => ({
				id: thread.id,
				name: thread.name,
				topic: `${isPrivate(thread) ? "Private thread" : "Thread"} in #${name}${thread.isLocked ? ", locked" : ""}`,
				parentId: id,
				type: isPrivate(thread) ? ChannelType.PrivateThread : ChannelType.PublicThread,
			}));
			return [
				{ id, type: ChannelType.GuildText, name, topic, ...(isAgeRestricted && { isAgeRestricted }) },
				...shownThreads,
			];
		});
		const direct = channels.directOf(user.id);
		if (!direct) return shown;
		const { name } = seed.application;
		return [...shown, { id: direct.id, type: ChannelType.DM, name, topic: "Between you and the bot", isDirect: true }];
	}

	function commandsOf({ user, guild }: Viewer): APIApplicationCommand[] {
		if (!installs.isInstalled(guild)) return [];
		const [roleIds, permissions] = [members.roleIds(guild, user.id), members.permissions(guild, user.id)];
		return commands.usable(guild.id, { userId: user.id, roleIds, permissions });
	}

	function guildsOf({ user, guild }: Viewer): Pick<PageState, "guilds" | "hiddenGuildCount"> {
		const own = guilds.ofUser(user.id);
		// Always includes the open guild.
		const shown = own.filter((each, index) => index < GUILDS_SHOWN || each === guild);
		const listed = shown.map((each) => toPageGuild({ user, guild: each }));
		return { guilds: listed, hiddenGuildCount: own.length - shown.length };
	}
	const toPageGuild = ({ user, guild }: Viewer): PageGuild => ({
		id: guild.id,
		name: guild.name,
		channelIds: channels
			.inGuild(guild)
			.flatMap(({ id }) => [id, ...channels.activeThreads(id, user.id).map((thread) => thread.id)]),
		hasBot: installs.isInstalled(guild),
	});

	/** Returns whether this user may remove the bot from the guild, or add it. */
	const mayManageBot = ({ user, guild }: Viewer): boolean =>
		(members.permissions(guild, user.id) & PermissionFlagsBits.ManageGuild) !== 0n;

	const membersFor = (viewer: Viewer): Omit<Extract<PageEvent, { type: "members" }>, "type"> => ({
		me: members.toPageMember(viewer.guild, viewer.user),
		members: members.inGuild(viewer.guild).map((member) => members.toPageMember(viewer.guild, member)),
		guildLocale: overrides.localeOf(viewer.guild),
		mayManageBot: mayManageBot(viewer),
		...guildsOf(viewer),
		commands: commandsOf(viewer),
	});

	const channelsEvent = (viewer: Viewer): PageEvent => ({ type: "channels", channels: channelsOf(viewer) });

	/** Converts an event for the user; none if the user does not see it. */
	function pageEvents(viewer: Viewer, event: SimulatorEvent): readonly PageEvent[] {
		const { user } = viewer;
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
			case "directChannel":
				return event.userId === user.id ? [channelsEvent(viewer)] : [];
			case "pollVoteAdd":
			case "pollVoteRemove":
				return messageIfVisible(event.polled);
			case "threadCreate":
			case "threadUpdate":
			case "threadDelete":
				return event.thread.guildId === viewer.guild.id ? [channelsEvent(viewer)] : [];
			case "channelUpdate":
			case "channelDelete":
				return event.guild.id === viewer.guild.id ? [channelsEvent(viewer)] : [];
			case "commands":
				return [{ type: "commands", commands: commandsOf(viewer) }];
			case "presence":
				return [{ type: "presence", online: event.online }];
			case "threadMembers":
				return isPrivate(event.thread) && event.thread.guildId === viewer.guild.id ? [channelsEvent(viewer)] : [];
			case "threadSync":
			case "commandPermissions":
			case "webhooks":
			case "banAdd":
			case "banRemove":
			case "entitlementCreate":
			case "entitlementUpdate":
			case "entitlementDelete":
				return [];
			case "memberAdd":
			case "memberUpdate":
			case "memberRemove":
			case "role":
			case "members":
			case "guild":
			case "bot":
			case "guilds":
				// Roles and permissions also decide which channels the user sees.
				return [{ type: "members", ...membersFor(viewer) }, channelsEvent(viewer)];
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
			...membersFor(viewer),
			guild: { id: viewer.guild.id, name: viewer.guild.name },
			users: members.named.map((user) => ({
				user: members.toUser(user),
				locale: members.locale(user),
				guildIds: guilds.named.filter(({ memberIds }) => memberIds.includes(user.id)).map(({ id }) => id),
			})),
			skus: simulator.entitlements.skus(),
			roles: channels
				.roles(viewer.guild)
				.filter(({ id, managed }) => id !== viewer.guild.id && !managed)
				.map(({ id, name }) => ({ id, name })),
			channels: channelsOf(viewer),
			bot: { user: members.bot, online: isBotOnline() },
			notice,
			messages: messages
				.newest(STATE_MESSAGES_MAX, (message) => channels.canSee(message, viewer.user.id))
				.map((message) => serialize.message(message, viewer.user.id)),
		}),
		pageEvents,
	};
}
