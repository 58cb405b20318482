/** The stored changes of members: those who joined or left, nicknames, roles, and timeouts. */
import type { MemberRecord } from "./documents.ts";
import type { Core } from "./core.ts";

export type MemberRecords = ReturnType<typeof createMemberRecords>;

const recordId = (guildId: string, userId: string): string => `${guildId} ${userId}`;

export function createMemberRecords({ tables: { memberRecords } }: Pick<Core, "tables">) {
	const find = (guildId: string, userId: string): MemberRecord | undefined =>
		memberRecords.get(recordId(guildId, userId));
	return {
		find,
		all: (): Iterable<MemberRecord> => memberRecords.values(),
		/** Returns the changes of those whose roles differ from the initial ones. */
		withRoles: (): readonly MemberRecord[] => [...memberRecords.values()].filter(({ roleIds }) => roleIds !== null),
		/** Returns the current members: the initial ones who have not left, then those who joined. */
		memberIds(guildId: string, initialIds: readonly string[]): readonly string[] {
			const ofGuild = [...memberRecords.values()].filter((record) => record.guildId === guildId);
			const joined = ofGuild.filter(({ joinedMs, userId }) => joinedMs !== null && !initialIds.includes(userId));
			const leftIds = new Set(ofGuild.filter(({ hasLeft }) => hasLeft).map(({ userId }) => userId));
			if (joined.length + leftIds.size === 0) return initialIds;
			return [...initialIds, ...joined.map(({ userId }) => userId)].filter((userId) => !leftIds.has(userId));
		},
		change(guildId: string, userId: string, changes: Partial<MemberRecord>): void {
			const before = find(guildId, userId) ?? {
				guildId,
				userId,
				hasLeft: false,
				hasRejoined: false,
				joinedMs: null,
				nick: null,
				roleIds: null,
				timedOutUntilMs: null,
			};
			memberRecords.set(recordId(guildId, userId), { ...before, ...changes });
		},
	};
}
