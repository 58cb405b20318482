import type { Clock } from "@atelier/common/clock";
import type { ResultStore } from "../delivery/result-store.ts";
import { guildAccount } from "../guilds/guild-accounts.ts";
import type { GuildSettingsStore } from "../guilds/guild-settings.ts";
import { readHistory } from "../guilds/history.ts";
import type { ReportedResult } from "../moderation/reported-results.ts";
import type { Ledger } from "@atelier/ledger/operations";
import { CorruptDocument } from "@atelier/store/keyv-store";
import type { Store } from "@atelier/store/store";
import type { Proposals } from "../tasks/proposals.ts";
import { isEnded, type Task } from "../tasks/task.ts";
import type { TaskStore } from "../tasks/task-store.ts";

interface Member {
	readonly guildId: string;
	readonly userId: string;
}

/** What is kept about one member in one server, as they get it. */
interface PersonalData {
	readonly text: string;
	readonly tasks: number;
	/** Whether older tasks did not fit. */
	readonly isCut: boolean;
	/** Whether there is nothing about them. */
	readonly isEmpty: boolean;
}

interface Removal {
	readonly removed: number;
	/** Tasks that have not ended, and are needed until they do. */
	readonly open: number;
}

/** What a member may ask of what is kept about them. Only ever about whoever asks. */
export interface PrivacyDesk {
	readonly retentionDays: number;
	/** As JSON, the newest tasks first and no more than so many bytes. */
	collect(member: Member, bytesMax: number): Promise<PersonalData>;
	/**
	 * Forgets what they asked for, and the files made of it. What was spent stays in the books, without what it was for. Throws
	 * a `CorruptDocument`, after all others are forgotten, where one cannot be read.
	 */
	remove(member: Member): Promise<Removal>;
}

interface PrivacyDeps {
	readonly store: Pick<Store, "scan">;
	readonly tasks: Pick<TaskStore, "ofMember" | "load" | "remove">;
	readonly proposals: Pick<Proposals, "removeOf">;
	readonly results: Pick<ResultStore, "remove">;
	readonly ledger: Pick<Ledger, "history">;
	readonly settings: Pick<GuildSettingsStore, "read">;
	readonly clock: Clock;
	readonly retentionDays: number;
}

const ENTRIES_MAX = 2_000;
const ENTRIES_LOOKED_AT_MAX = 100_000;

export function createPrivacyDesk(deps: PrivacyDeps): PrivacyDesk {
	const { store, tasks, proposals, results, ledger, settings, clock, retentionDays } = deps;

	/** The first that cannot be read is the end, unless they are gathered in `damaged`. */
	async function* tasksOf({ guildId, userId }: Member, damaged?: CorruptDocument[]): AsyncGenerator<Task> {
		for await (const taskId of tasks.ofMember(guildId, userId)) {
			try {
				const loaded = await tasks.load(taskId);
				if (loaded) yield loaded.task;
			} catch (error) {
				if (!damaged || !(error instanceof CorruptDocument)) throw error;
				damaged.push(error);
			}
		}
	}

	/** What they reported, and what of theirs was: who reported that is nothing about them. */
	async function reportsAbout({ guildId, userId }: Member) {
		const ofTheirs: object[] = [];
		const byThem: object[] = [];
		for await (const { value } of store.scan<ReportedResult>(`reported:${guildId}:`, { onCorrupt: () => {} })) {
			const { taskId, prompt, reports, done } = value;
			if (value.userId === userId) ofTheirs.push({ taskId, prompt, reports: Object.keys(reports).length, done });
			const own = reports[userId];
			if (own) byThem.push({ taskId, reason: own.reason, at: timeOf(own.atMs) });
		}
		return { ofTheirs, byThem };
	}

	return {
		retentionDays,
		async collect(member, bytesMax) {
			const { guildId, userId } = member;
			const { blocks, allowance } = await settings.read(guildId);
			const history = await readHistory(ledger, guildAccount(guildId), {
				userId,
				entriesMax: ENTRIES_MAX,
				lookedAtMax: ENTRIES_LOOKED_AT_MAX,
			});
			const reports = await reportsAbout(member);
			const head = {
				about: { server: guildId, member: userId, collectedAt: timeOf(clock.nowMs()), tasksKeptDays: retentionDays },
				blocked: blocks[userId] ?? null,
				ownLimitCredits: allowance.members[userId] ?? null,
				reports,
				credits: history.entries,
			};
			let leftBytes = bytesMax - Buffer.byteLength(JSON.stringify(head, undefined, "\t"));
			const shown: object[] = [];
			let isCut = false;
			for await (const task of tasksOf(member)) {
				const one = asTheyAskedForIt(task);
				// With the white space that it gets in the file.
				leftBytes -= 2 * Buffer.byteLength(JSON.stringify(one, undefined, "\t"));
				isCut = leftBytes < 0;
				if (isCut) break;
				shown.push(one);
			}
			const text = `${JSON.stringify({ ...head, tasks: shown }, undefined, "\t")}\n`;
			const isEmpty =
				head.blocked === null &&
				head.ownLimitCredits === null &&
				[reports.ofTheirs, reports.byThem, head.credits, shown].every((found) => found.length === 0) &&
				!isCut;
			return { text, tasks: shown.length, isCut, isEmpty };
		},
		async remove(member) {
			let removed = 0;
			let open = 0;
			const damaged: CorruptDocument[] = [];
			for await (const task of tasksOf(member, damaged)) {
				if (isEnded(task)) {
					await results.remove(task.id);
					await tasks.remove(task);
					removed++;
				} else open++;
			}
			removed += await proposals.removeOf(member);
			const [first] = damaged;
			if (first) throw first;
			return { removed, open };
		},
	};
}

/** All that a task has of them, without the token of its reply, which is a secret of this bot's and over. */
function asTheyAskedForIt({ id, order, reply, createdAtMs, ...task }: Task): object {
	const { channelId, messageId } = reply;
	return {
		id,
		asked: timeOf(createdAtMs),
		state: task.state,
		order,
		place: { channelId, messageId },
		...("outcome" in task && { outcome: task.outcome }),
		...("chargedCredits" in task && { chargedCredits: task.chargedCredits }),
		...("deliveredAtMs" in task && { delivered: timeOf(task.deliveredAtMs) }),
	};
}

function timeOf(atMs: number): string {
	return new Date(atMs).toISOString();
}
