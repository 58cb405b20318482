/** Changes of members: joining and leaving, kicks, bans, nicknames, roles, and timeouts. Callers check permissions. */
import type { Ban, MemberRecord, StoredMessage } from "./documents.ts";
import type { MemberRecords } from "./member-records.ts";
import type { Messages } from "./messages.ts";
import type { Overrides } from "./admin-overrides.ts";
import type { SimulatedGuild } from "./seed-from-fixture.ts";
import type { Core } from "./simulator-state.ts";

export type MemberChanges = Partial<Pick<MemberRecord, "nick" | "roleIds" | "timedOutUntilMs">>;

const banId = (guild: SimulatedGuild, userId: string): string => `${guild.id} ${userId}`;

export function createModeration(
	{ clock, events, seed, tables: { bans } }: Core,
	deps: { records: MemberRecords; messages: Messages; overrides: Overrides },
) {
	const { records, messages, overrides } = deps;

	/** A member who leaves loses the nickname and the roles; a timeout continues after a return. */
	function removeMember(guild: SimulatedGuild, userId: string): void {
		if (!guild.memberIds.includes(userId)) return;
		records.change(guild.id, userId, { hasLeft: true, nick: null, roleIds: [] });
		overrides.changeMember(guild, userId, { roleIds: null, permissions: null });
		events.emit({ type: "memberRemove", guild, userId });
	}

	// So does the bot.
	events.listen((event) => {
		if (event.type !== "bot" || event.isMember) return;
		records.change(event.guild.id, seed.application.id, { nick: null, roleIds: null });
	});

	return {
		removeMember,
		addMember(guild: SimulatedGuild, userId: string): void {
			records.change(guild.id, userId, { hasLeft: false, joinedMs: clock.nowMs(), roleIds: [] });
			events.emit({ type: "memberAdd", guild, userId });
		},
		/** Replaces the given fields; roles also replace those that the admin API has set. */
		changeMember(guild: SimulatedGuild, userId: string, changes: MemberChanges): void {
			records.change(guild.id, userId, changes);
			if (changes.roleIds !== undefined) overrides.changeMember(guild, userId, { roleIds: null });
			events.emit({ type: "memberUpdate", guild, userId });
		},
		/** Bans a user, who need not be a member, and deletes their messages since `deleteSinceMs`. */
		ban(guild: SimulatedGuild, userId: string, ban: Pick<Ban, "reason">, deleteSinceMs: number): void {
			const isNew = bans.get(banId(guild, userId)) === undefined;
			bans.set(banId(guild, userId), { guildId: guild.id, userId, ...ban });
			if (isNew) events.emit({ type: "banAdd", guild, userId });
			removeMember(guild, userId);
			const written = messages.newest(
				Number.POSITIVE_INFINITY,
				({ guildId, authorId, createdMs }) => guildId === guild.id && authorId === userId && createdMs >= deleteSinceMs,
			);
			const byChannel = Map.groupBy(written, ({ channelId }: StoredMessage) => channelId);
			for (const inChannel of byChannel.values()) messages.removeAll(inChannel);
		},
		unban(guild: SimulatedGuild, userId: string): void {
			bans.delete(banId(guild, userId));
			events.emit({ type: "banRemove", guild, userId });
		},
		findBan: (guild: SimulatedGuild, userId: string): Ban | undefined => bans.get(banId(guild, userId)),
		bans: (guild: SimulatedGuild): readonly Ban[] => [...bans.values()].filter(({ guildId }) => guildId === guild.id),
	};
}
