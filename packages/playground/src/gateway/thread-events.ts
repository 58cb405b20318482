/** The events about threads in channels that the bot sees. */
import { GatewayIntentBits } from "discord-api-types/v10";
import type { Thread } from "../simulator/documents.ts";
import type { SimulatorEvent } from "../simulator/events.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { isPrivate, toThreadMember } from "../simulator/threads.ts";
import type { SendEvent } from "./session.ts";

type ThreadEvent = Extract<SimulatorEvent, { readonly thread: Thread }>;
type MembersEvent = Extract<ThreadEvent, { readonly type: "threadMembers" }>;

const intents = GatewayIntentBits.Guilds;

export function createThreadEvents(simulator: Simulator, sendEvent: SendEvent) {
	const { channels, threads, members, guilds } = simulator;

	/** Without the members intent, a session sees only the bot join and leave. */
	function dispatchMembers({ thread, isNew, addedIds, removedIds }: MembersEvent): void {
		const guild = guilds.find(thread.guildId);
		if (!guild) return;
		// The bot may not know a private thread yet.
		if (isPrivate(thread) && !isNew && addedIds.includes(members.bot.id))
			sendEvent("THREAD_CREATE", { guildId: thread.guildId, intents }, () => threads.serialize(thread));
		sendEvent("THREAD_MEMBERS_UPDATE", { guildId: thread.guildId, intents }, (session) => {
			const seesAll = (session.intents & GatewayIntentBits.GuildMembers) !== 0;
			const isSeen = (id: string): boolean => seesAll || id === members.bot.id;
			const added = thread.members.filter(({ userId }) => addedIds.includes(userId) && isSeen(userId));
			const removed = removedIds.filter(isSeen);
			if (added.length + removed.length === 0) return undefined;
			return {
				id: thread.id,
				guild_id: thread.guildId,
				member_count: threads.serialize(thread).member_count,
				...(added.length > 0 && {
					added_members: added.map((each) => ({
						...toThreadMember(thread, each),
						member: members.memberOf(guild, each.userId),
						presence: null,
					})),
				}),
				...(removed.length > 0 && { removed_member_ids: removed }),
			};
		});
	}

	return {
		thread(event: ThreadEvent): void {
			const { thread } = event;
			const isRemoved = event.type === "threadMembers" && event.removedIds.includes(members.bot.id);
			const isSeen = isRemoved ? channels.botCanRead(thread.parentId) : channels.canReadThread(thread, members.bot.id);
			if (!isSeen) return;
			if (event.type === "threadMembers") return dispatchMembers(event);
			const { id, guildId: guild_id, parentId: parent_id } = thread;
			const shown = threads.serialize(thread);
			const [name, payload] = {
				threadCreate: ["THREAD_CREATE", { ...shown, newly_created: true }],
				threadUpdate: ["THREAD_UPDATE", shown],
				threadDelete: ["THREAD_DELETE", { id, guild_id, parent_id, type: shown.type }],
			}[event.type] as [string, object];
			sendEvent(name, { guildId: guild_id, intents }, () => payload);
		},
		/** Sends the active threads of a channel that the bot sees again. */
		sync({ guildId, channelId }: { readonly guildId: string; readonly channelId: string }): void {
			const active = channels.activeThreads(channelId, members.bot.id);
			sendEvent("THREAD_LIST_SYNC", { guildId, intents }, () => ({
				guild_id: guildId,
				channel_ids: [channelId],
				threads: active.map((thread) => threads.serialize(thread)),
				members: active.flatMap((thread) => threads.ownMember(thread) ?? []),
			}));
		},
	};
}
