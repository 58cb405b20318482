/** The simulator's state as one user sees it in one guild. */
import { ChannelType, PermissionFlagsBits } from "discord-api-types/v10";
import { type Snapshot, type PageChannel, type PageEvent, type PageMember, type PageState } from "./page-contract.ts";
import { CHANNEL_MESSAGES_MAX } from "../limits.ts";
import type { Channel, Guild, StoredMessage, User } from "../simulator/documents.ts";
import type { SimulatorEvent } from "../simulator/events.ts";
import { PageApiError } from "./page-error.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { commandProblemIn } from "../page-actions/user-access.ts";

/** Longer lists are not useful. */
const GUILDS_SHOWN = 12;

/** The viewing user and guild. */
export interface Viewer {
	readonly user: User;
	readonly guild: Guild;
}

export type View = ReturnType<typeof createUserView>;

interface ViewOptions {
	readonly clockAheadMs: () => number;
	readonly isBotOnline: () => boolean;
	readonly notice: string | undefined;
}

export function createUserView(simulator: Simulator, { clockAheadMs, isBotOnline, notice }: ViewOptions) {
	const { seed, guilds, installs, members, channels, commands, messages, entitlements, serialize, adminSettings } =
		simulator;

	/** The channels of the guild that the user sees, each followed by its threads. */
	function visibleChannels({ user, guild }: Viewer): readonly Channel[] {
		return channels
			.inGuild(guild)
			.filter((channel) => channels.canRead(channel, user.id))
			.flatMap(({ id }) => [id, ...channels.activeThreads(id, user.id).map((thread) => thread.id)])
			.flatMap((id) => channels.find(id) ?? []);
	}

	function toPageChannel(channel: Channel, user: User): PageChannel {
		const { id } = channel;
		const offered = (): string[] => {
			const problemOf = commandProblemIn(simulator, channel, user);
			const available = commands.availableIn(channel.guildId);
			return available.filter((command) => problemOf(command) === undefined).map((command) => command.id);
		};
		if (channel.kind === "direct") {
			const { name } = seed.application;
			return { id, type: ChannelType.DM, name, topic: "Between you and the bot", commandIds: offered() };
		}
		const { name, topic, isAgeRestricted, thread } = channel;
		const shown = { id, name, topic, isAgeRestricted };
		return thread
			? { ...shown, type: thread.type, parentId: thread.parent_id }
			: { ...shown, type: ChannelType.GuildText, commandIds: offered() };
	}

	/** The first guilds of the user, and always the open one. */
	function guildsOf({ user, guild }: Viewer): Pick<Snapshot, "guilds" | "hiddenGuildCount"> {
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

	function usersOf({ guild }: Viewer): Pick<Snapshot, "members" | "users"> {
		const memberships = guilds.named.map(({ id, memberIds }) => ({ id, memberIds: new Set(memberIds) }));
		return {
			members: members.inGuild(guild).map((member) => toPageMember(simulator, guild, member)),
			users: seed.users.map((named) => ({
				user: members.toUser(named),
				locale: members.locale(named),
				guildIds: memberships.filter(({ memberIds }) => memberIds.has(named.id)).map(({ id }) => id),
			})),
		};
	}

	function pageOf(viewer: Viewer): Snapshot {
		const { user, guild } = viewer;
		const direct = channels.directOf(user.id);
		const shown = [...visibleChannels(viewer), ...(direct ? [direct] : [])];
		const pageChannels = shown.map((channel) => toPageChannel(channel, user));
		const commandIds = new Set(pageChannels.flatMap((channel) => channel.commandIds ?? []));
		return {
			clockAheadMs: clockAheadMs(),
			me: toPageMember(simulator, guild, user),
			guild: { id: guild.id, name: guild.name },
			...guildsOf(viewer),
			...usersOf(viewer),
			guildLocale: adminSettings.localeOf(guild),
			skus: entitlements.skus(),
			roles: channels.assignableRoles(guild).map(({ id, name }) => ({ id, name })),
			channels: pageChannels,
			bot: { user: members.bot, online: isBotOnline() },
			notice,
			commands: commands.listIn(guild.id).filter(({ id }) => commandIds.has(id)),
		};
	}

	/** Converts an event for the user: none if the user does not see it; `undefined` for an event that may change the page. */
	function pageEvents({ user }: Viewer, event: SimulatorEvent): readonly PageEvent[] | undefined {
		const messageIfVisible = (message: StoredMessage): readonly PageEvent[] =>
			channels.canSee(message, user.id) ? [{ type: "message", message: serialize.message(message, user.id) }] : [];
		const deletionIfVisible = (message: StoredMessage): readonly PageEvent[] =>
			channels.canSee(message, user.id)
				? [{ type: "messageDelete", channelId: message.channelId, messageId: message.id }]
				: [];
		if (event.type === "messageDelete") return deletionIfVisible(event.message);
		if (event.type === "messageDeleteBulk") return event.removed.flatMap(deletionIfVisible);
		if ("message" in event) return messageIfVisible(event.message);
		// A reaction or a vote.
		if ("target" in event) return messageIfVisible(event.target);
		if ("polled" in event) return messageIfVisible(event.polled);
		if (event.type === "interactionAnswered") {
			const { userId, modal, ...answer } = event;
			const opened = modal && { modal: { interactionId: answer.interactionId, ...modal } };
			return userId === user.id ? [{ ...answer, ...opened }] : [];
		}
		if (event.type === "interactionFailed") {
			const { userId, ...failure } = event;
			return userId === user.id ? [failure] : [];
		}
		return undefined;
	}

	const isMember = ({ user, guild }: Viewer): boolean => guilds.find(guild.id)?.memberIds.includes(user.id) ?? false;

	const withMessages = (page: Snapshot, { user }: Viewer): PageState => ({
		...page,
		messages: messages
			.newestOfEachChannel(CHANNEL_MESSAGES_MAX, (message) => channels.canSee(message, user.id))
			.map((message) => serialize.message(message, user.id)),
	});

	/**
	 * Calls `send` with the state, and for every event that the user sees until the returned function is called. Calls `end` when the
	 * user is no longer in the guild: the page then reads the state again, of another guild.
	 */
	function subscribe(viewer: Viewer, send: (event: PageEvent) => void, end: () => void): () => void {
		let pending: NodeJS.Immediate | undefined;
		let sent = pageOf(viewer);
		send({ type: "state", state: withMessages(sent, viewer) });
		function sendChanges(): void {
			if (!pending) return;
			clearImmediate(pending);
			pending = undefined;
			if (!isMember(viewer)) return end();
			const before = sent;
			sent = pageOf(viewer);
			if (hasNewChannel(before, sent)) return send({ type: "state", state: withMessages(sent, viewer) });
			const known = new Map(Object.entries(before));
			const changed = Object.entries(sent).filter(
				([field, value]) => JSON.stringify(value) !== JSON.stringify(known.get(field)),
			);
			if (changed.length > 0) send({ type: "page", page: Object.fromEntries(changed) });
		}
		const unsubscribe = simulator.events.listen((event) => {
			const converted = pageEvents(viewer, event);
			// One request may cause many changes, and a page is large.
			if (!converted) pending ??= setImmediate(sendChanges);
			for (const pageEvent of converted ?? []) {
				sendChanges();
				send(pageEvent);
			}
		});
		return () => {
			clearImmediate(pending);
			unsubscribe();
		};
	}

	return {
		/** Selects the guild with this id, or the user's first one. */
		viewer(user: User, guildId: string | undefined): Viewer {
			const requested = guildId === undefined ? undefined : guilds.find(guildId);
			const selected = requested?.memberIds.includes(user.id) ? requested : guilds.ofUser(user.id)[0];
			if (!selected) throw new PageApiError(403, "You are in no server.");
			return { user, guild: selected };
		},
		state: (viewer: Viewer): PageState => withMessages(pageOf(viewer), viewer),
		subscribe,
	};
}

export function toPageMember({ members }: Pick<Simulator, "members">, guild: Guild, user: User): PageMember {
	const roleIds = members.roleIds(guild, user.id);
	const permissions = members.permissions(guild, user.id, roleIds);
	const timedOutUntilMs = members.timedOutUntilMs(guild, user.id);
	return {
		user: members.toUser(user),
		nick: members.nick(guild, user.id),
		isAdmin: (permissions & PermissionFlagsBits.Administrator) !== 0n,
		roleIds,
		permissions: permissions.toString(),
		locale: members.locale(user),
		...(timedOutUntilMs !== undefined && { timedOutUntilMs }),
	};
}

/** Returns whether a channel came into view. A public thread comes with its channel, also while it is archived. */
function hasNewChannel(before: Snapshot, { channels }: Snapshot): boolean {
	const known = new Set(before.channels.map(({ id }) => id));
	return channels.some(
		({ id, type, parentId = "" }) => !known.has(id) && !(type === ChannelType.PublicThread && known.has(parentId)),
	);
}
