import type { Member } from "../access/member.ts";
import type { Clock } from "@atelier/common/clock";
import type { GalleryStore } from "../gallery/gallery-store.ts";
import { guildAccount } from "../credits/guild-accounts.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { readHistory } from "../credits/history.ts";
import type { ReportStore } from "../moderation/report-store.ts";
import type { Ledger } from "@atelier/ledger/ledger";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import type { RequestDraft, RequestDrafts } from "../tasks/request-drafts.ts";
import { isEnded, type Task } from "../tasks/task.ts";
import type { RemoveTask } from "../tasks/remove-tasks.ts";
import type { TaskStore } from "../tasks/task-store.ts";

/** The stored data about a member in one server. */
interface PersonalData {
	/** JSON. */
	readonly text: string;
	readonly tasks: number;
	/** False if tasks or credits are missing. */
	readonly isComplete: boolean;
	/** True if the export contains nothing about the member. */
	readonly isEmpty: boolean;
}

interface Removal {
	/** The number of deleted tasks and of deleted requests that waited for a confirmation. */
	readonly removed: number;
	/** The number of open tasks, which were not deleted. */
	readonly open: number;
}

interface PrivacyDeps {
	readonly reportStore: Pick<ReportStore, "ofGuild">;
	readonly taskStore: Pick<TaskStore, "ofMember" | "load">;
	readonly removeTask: RemoveTask;
	readonly galleryStore: Pick<GalleryStore, "favoritesOf" | "removeFavoritesOf">;
	readonly drafts: Pick<RequestDrafts, "readOf" | "removeOf">;
	readonly ledger: Pick<Ledger, "history">;
	readonly settings: Pick<SettingsStore, "read">;
	readonly clock: Clock;
	/** Reports a task that an export leaves out. */
	readonly onCorrupt: (error: CorruptDocumentError) => void;
	readonly retentionDays: number;
	/** The most ledger entries of the server that an export reads to find those of the member. Default: 100,000. */
	readonly entriesScannedMax?: number;
}

/** Exports and deletes a member's data. */
export function createPrivacyService(deps: PrivacyDeps) {
	const {
		reportStore,
		taskStore,
		removeTask,
		galleryStore,
		drafts,
		ledger,
		settings,
		clock,
		onCorrupt,
		retentionDays,
		entriesScannedMax = 100_000,
	} = deps;

	/** Yields the readable tasks, and adds the errors of the others to `corrupt`. */
	async function* tasksOf({ guildId, userId }: Member, corrupt: CorruptDocumentError[]): AsyncGenerator<Task> {
		for await (const taskId of taskStore.ofMember(guildId, userId)) {
			try {
				const loaded = await taskStore.load(taskId);
				if (loaded) yield loaded.task;
			} catch (error) {
				if (!(error instanceof CorruptDocumentError)) throw error;
				corrupt.push(error);
			}
		}
	}

	/** Reports by and about the member, without the names of other reporters. */
	async function readReports({ guildId, userId }: Member) {
		const aboutMember: object[] = [];
		const byMember: object[] = [];
		for await (const { userId: reportedId, taskId, prompt, reports, done } of reportStore.ofGuild(guildId)) {
			if (reportedId === userId) aboutMember.push({ taskId, prompt, reports: Object.keys(reports).length, done });
			const own = reports[userId];
			if (own) byMember.push({ taskId, reason: own.reason, at: timeOf(own.atMs) });
		}
		return { aboutMember, byMember };
	}

	return {
		retentionDays,
		/** Exports as JSON, newest first, at most `bytesMax` bytes. The file says whether it is complete. */
		async exportData(member: Member, bytesMax: number): Promise<PersonalData> {
			const { guildId, userId } = member;
			const { blocks, allowance } = await settings.read(guildId);
			const history = await readHistory(ledger, guildAccount(guildId), {
				userId,
				entriesMax: entriesScannedMax,
				scannedMax: entriesScannedMax,
			});
			const reports = await readReports(member);
			const favorites = await Array.fromAsync(galleryStore.favoritesOf(member));
			const exportedDrafts = (await drafts.readOf(member)).map(exportDraft);
			const head = {
				blocked: blocks[userId] ?? null,
				ownLimitCredits: allowance.members[userId] ?? null,
				reports,
				favorites,
				drafts: exportedDrafts,
			};
			const leftBytes = bytesMax - sizeOf(head);
			const credits = await takeUntilFull(history.entries, leftBytes / 2);
			const corrupt: CorruptDocumentError[] = [];
			const shown = await takeUntilFull(tasksOf(member, corrupt), leftBytes - credits.bytes, exportTask);
			for (const error of corrupt) onCorrupt(error);
			const isComplete =
				history.nextBeforeSeq === undefined && !credits.isFull && !shown.isFull && corrupt.length === 0;
			const collectedAt = timeOf(clock.nowMs());
			const about = { server: guildId, member: userId, collectedAt, isComplete, tasksKeptDays: retentionDays };
			const data = { about, ...head, credits: credits.taken, tasks: shown.taken };
			const isEmpty =
				head.blocked === null &&
				head.ownLimitCredits === null &&
				[...Object.values(reports), favorites, exportedDrafts, credits.taken, shown.taken].every(
					({ length }) => length === 0,
				) &&
				isComplete;
			return {
				text: `${JSON.stringify(data, undefined, "\t")}\n`,
				tasks: shown.taken.length,
				isComplete,
				isEmpty,
			};
		},
		/**
		 * Deletes the member's favorites, drafts, and ended tasks with their files. Charges stay in the ledger without
		 * the prompt. Throws `CorruptDocumentError` for an unreadable task after it has deleted all others.
		 */
		async remove(member: Member): Promise<Removal> {
			let removed = 0;
			let open = 0;
			const corrupt: CorruptDocumentError[] = [];
			for await (const task of tasksOf(member, corrupt)) {
				if (isEnded(task)) {
					await removeTask(task);
					removed++;
				} else open++;
			}
			removed += await drafts.removeOf(member);
			await galleryStore.removeFavoritesOf(member);
			const [first] = corrupt;
			if (first) throw first;
			return { removed, open };
		},
	};
}

/** Takes items up to a size of the file. */
async function takeUntilFull<Item extends object>(
	items: AsyncIterable<Item> | Iterable<Item>,
	bytesMax: number,
	exportItem: (item: Item) => object = (item) => item,
) {
	const taken: object[] = [];
	let bytes = 0;
	for await (const item of items) {
		const exported = exportItem(item);
		const itemBytes = sizeOf(exported);
		if (bytes + itemBytes > bytesMax) return { taken, bytes, isFull: true };
		bytes += itemBytes;
		taken.push(exported);
	}
	return { taken, bytes, isFull: false };
}

/** The bytes in the file, at most: doubled, because the file indents each line further. */
function sizeOf(value: object): number {
	return 2 * Buffer.byteLength(JSON.stringify(value, undefined, "\t"));
}

/** Exports a draft without its interaction token, which is a secret. */
function exportDraft({ submission: { id, request }, improvedPrompt, askedAtMs }: RequestDraft): object {
	return { id, askedAt: timeOf(askedAtMs), request, improvedPrompt };
}

/** Exports a task without its interaction token, which is a secret. */
function exportTask({ id, request, reply, createdAtMs, ...task }: Task): object {
	const { channelId, messageId } = reply;
	return {
		id,
		createdAt: timeOf(createdAtMs),
		state: task.state,
		request,
		reply: { channelId, messageId },
		...("outcome" in task && { outcome: task.outcome }),
		...("chargedCredits" in task && { chargedCredits: task.chargedCredits }),
		...("deliveredAtMs" in task && { deliveredAt: timeOf(task.deliveredAtMs) }),
	};
}

function timeOf(atMs: number): string {
	return new Date(atMs).toISOString();
}
