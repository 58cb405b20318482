/** The stored changes of members: those who joined or left, nicknames, roles, and timeouts. */
import type { MemberRecord } from "./documents.ts";
import type { Core } from "./simulator-state.ts";

export type MemberRecords = ReturnType<typeof createMemberRecords>;

const recordId = (guildId: string, userId: string): string => `${guildId} ${userId}`;

export function createMemberRecords({ tables: { memberRecords } }: Pick<Core, "tables">) {
	const find = (guildId: string, userId: string): MemberRecord | undefined =>
		memberRecords.get(recordId(guildId, userId));
	return {
		find,
		/** Returns the changes of those whose roles differ from the initial ones. */
		withRoles: (): readonly MemberRecord[] => [...memberRecords.values()].filter(({ roleIds }) => roleIds !== null),
		/** Returns the current members: the initial ones who have not left, then those who joined. */
		memberIds(guildId: string, initialIds: readonly string[]): readonly string[] {
			if (memberRecords.size === 0) return initialIds;
			const joined = [...memberRecords.values()]
				.filter(
					(record) => record.guildId === guildId && record.joinedMs !== null && !initialIds.includes(record.userId),
				)
				.map(({ userId }) => userId);
			return [...initialIds, ...joined].filter((userId) => find(guildId, userId)?.hasLeft !== true);
		},
		change(guildId: string, userId: string, changes: Partial<MemberRecord>): void {
			const before = find(guildId, userId) ?? {
				guildId,
				userId,
				hasLeft: false,
				joinedMs: null,
				nick: null,
				roleIds: null,
				timedOutUntilMs: null,
			};
			memberRecords.set(recordId(guildId, userId), { ...before, ...changes });
		},
	};
}
