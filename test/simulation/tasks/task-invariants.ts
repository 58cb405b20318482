import { formatFinalReply } from "../../../src/services/tasks/format-result.ts";
import { createTaskStore, createHoldTaskLookup } from "../../../src/services/tasks/task-store.ts";
import type { Outcome, Task } from "../../../src/services/tasks/task.ts";
import type { Submission } from "../../../src/services/tasks/submission-service.ts";
import type { Disk, ProcessState } from "../faulty-disk.ts";
import { entrySchema } from "@atelier/ledger/account";
import { JOURNAL_PREFIX, parseAccountKey, parsePageKey } from "@atelier/ledger/journal";
import { guildAccount } from "../../../src/services/credits/guild-accounts.ts";
import { auditDisk, InvariantError, readAccount, readValue } from "../invariants.ts";
import type { FaultyDiscord } from "./faulty-discord.ts";
import type { FaultyService } from "./faulty-service.ts";

interface ObservationsDeps {
	readonly disk: Disk;
	readonly discord: FaultyDiscord;
	readonly media: FaultyService;
	readonly countEvent: (what: string) => void;
}

/** The allowed transitions of a task, as the header of task.ts describes them. */
const TRANSITIONS: Readonly<Record<Task["state"], readonly Task["state"][]>> = {
	reserved: ["reserved", "submitting", "settled"],
	submitting: ["submitting", "unconfirmed", "reserved", "submitted", "settled"],
	unconfirmed: ["unconfirmed", "submitted", "settled"],
	submitted: ["submitted", "settled"],
	settled: ["settled", "delivered"],
	delivered: ["delivered", "settled", "withdrawn"],
	withdrawn: ["withdrawn"],
};
const TASK = "task:";
const ACCOUNT = "account:";

/** Observes the disk, the media service and the visible messages, and checks the invariants of tasks. */
export function createTaskObservations({ disk, discord, media, countEvent }: ObservationsDeps) {
	const submissions = new Map<string, Submission>();
	const acknowledged = new Set<string>();
	const submitted = new Set<string>();
	const reviewed = new WeakMap<ProcessState, Set<string>>();
	const changedAccounts = new Set<string>();
	let failure: InvariantError | undefined;
	const fail = (what: string): void => void (failure ??= new InvariantError(what));

	const taskOf = (taskId: string): Task | undefined => {
		const text = disk.read(TASK + taskId);
		return text === undefined ? undefined : (readValue(text) as Task);
	};

	/** Cached, because every task is checked after every step, and few have changed. */
	const endings = new Map<string, { readonly text: string | undefined; readonly hasEnded: boolean }>();
	const hasEnded = (taskId: string): boolean => {
		const text = disk.read(TASK + taskId);
		const cached = endings.get(taskId);
		if (cached && cached.text === text) return cached.hasEnded;
		const current = { text, hasEnded: "shown" in (taskOf(taskId) ?? {}) };
		endings.set(taskId, current);
		return current.hasEnded;
	};

	function checkTransition(before: Task, after: Task): void {
		if (!TRANSITIONS[before.state].includes(after.state)) fail(`${before.id}: ${before.state} to ${after.state}`);
		if (before.state !== after.state) countEvent(after.state);
		const [outcomeBefore, outcomeAfter] = [before, after].map((task) => "outcome" in task && notified(task.outcome));
		if (outcomeBefore && outcomeAfter && outcomeBefore !== outcomeAfter)
			fail(`the outcome of ${before.id} has changed`);
	}

	function checkAccount(key: string): void {
		const account = readAccount(disk.read(key), key);
		const heldCredits = account.holds.reduce((sum, { credits }) => sum + credits, 0);
		if (key.startsWith("account:guild:") && (heldCredits < 0 || heldCredits > account.postedCredits)) {
			throw new InvariantError(`${key} holds ${heldCredits} of ${account.postedCredits}`);
		}
	}

	/** Returns the entries of all accounts, by account and operation id. */
	function entriesOnDisk(): ReadonlyMap<string, number> {
		const entries = new Map<string, number>();
		for (const [key, text] of disk.texts()) {
			const isPage = key.startsWith(JOURNAL_PREFIX);
			if (!isPage && !key.startsWith(ACCOUNT)) continue;
			const account = isPage ? parsePageKey(key) : parseAccountKey(key);
			const taken = isPage ? entrySchema.array().parse(readValue(text)) : readAccount(text, account).entries;
			for (const { operationId, amountCredits } of taken) entries.set(`${account} ${operationId}`, amountCredits);
		}
		return entries;
	}

	function checkDelivered(taskId: string, entries: ReadonlyMap<string, number>): void {
		const task = taskOf(taskId);
		if (task?.state !== "delivered" && task?.state !== "withdrawn")
			throw new InvariantError(`${taskId} is ${task?.state ?? "gone"} at the end`);
		const { outcome, chargedCredits, request, shown } = task;
		const dueCredits = outcome.kind === "succeeded" ? request.costCredits : 0;
		if (chargedCredits !== dueCredits)
			throw new InvariantError(`${taskId} was charged ${chargedCredits} instead of ${dueCredits}`);
		checkCharges(task, dueCredits > 0, entries);
		countEvent(outcome.kind === "succeeded" ? "succeeded" : outcome.why.key);
		countEvent(shown.kind === "delivered" ? shown.route : shown.kind);
		const finalTexts = new Set(
			([undefined, "rejected", "notStored"] as const).flatMap((whyMissing) => {
				const { text, textWithoutPrompt } = formatFinalReply(task, { links: [], whyMissing });
				return [text, textWithoutPrompt];
			}),
		);
		const finalMessages = discord.visible(taskId).filter(({ content }) => finalTexts.has(content));
		const isVisible = shown.kind === "delivered" && !discord.isDeleted(shown.messageId);
		// The result may be visible although the task is stored as undelivered: the outcome of the last call was unknown.
		const publicFinalMessages = finalMessages.filter(({ isEphemeral }) => !isEphemeral);
		const isShownOnce = publicFinalMessages.length <= 1 && (!isVisible || finalMessages.length > 0);
		if (!isShownOnce)
			throw new InvariantError(`${taskId} is seen ${finalMessages.length} times: ${JSON.stringify(finalMessages)}`);
	}

	return {
		requested: (submission: Submission): void => void submissions.set(submission.id, submission),
		/** The process acknowledged the task, which must survive every fault. */
		acknowledged: (taskId: string): void => void acknowledged.add(taskId),
		/** The command was denied: it has no task, and never will. */
		denied(taskId: string, reason: string): void {
			if (taskOf(taskId)) fail(`${taskId} was denied, and exists`);
			countEvent(reason);
			submissions.delete(taskId);
		},
		/** The service accepted a submit with this key. */
		submitAccepted(key: string): void {
			if (submitted.has(key)) fail(`the service accepted more than one submit with the key ${key}`);
			submitted.add(key);
		},
		/** A process has the result of a task reviewed, which costs the operator money. */
		resultReviewed(processState: ProcessState, taskId: string): void {
			const taskIds = reviewed.get(processState) ?? new Set();
			// A failed write of the outcome is repeated without the step.
			if (taskIds.has(taskId)) fail(`a process had the result of ${taskId} reviewed twice`);
			reviewed.set(processState, taskIds.add(taskId));
		},
		expiredTokenUsed: (): void => fail("an expired token was used"),
		/** The visible reply of a task has changed. */
		replyChanged(taskId: string): void {
			const files = discord.visible(taskId).flatMap((message) => message.files);
			const state = taskOf(taskId)?.state ?? "gone";
			// A result is stored and charged before it is visible.
			const isPaid = state === "settled" || state === "delivered" || state === "withdrawn";
			if (files.length > 0 && !isPaid) fail(`the result of ${taskId} is seen, and it is ${state}`);
		},
		documentWritten(key: string, before: string | undefined, after: string): void {
			if (key.startsWith(ACCOUNT)) changedAccounts.add(key);
			if (key.startsWith(TASK) && before !== undefined)
				checkTransition(readValue(before) as Task, readValue(after) as Task);
		},
		/** Checks the invariants after each step. */
		check(): void {
			if (failure) throw failure;
			for (const key of changedAccounts) checkAccount(key);
			changedAccounts.clear();
		},
		/** Returns the tasks that have not ended. */
		openTaskIds: (): readonly string[] => [...submissions.keys()].filter((id) => !hasEnded(id)),
		haveAllEnded: (): boolean =>
			[...submissions.keys()].every(
				(id) => acknowledged.has(id) && hasEnded(id) && disk.read(`open:${id}`) === undefined,
			),
		async checkEnd(): Promise<void> {
			await auditDisk(disk.texts(), (store) => createHoldTaskLookup(createTaskStore(store)));
			const entries = entriesOnDisk();
			for (const taskId of submissions.keys()) checkDelivered(taskId, entries);
			countEvent(`service tasks ${media.tasks.size > 0 ? "some" : "none"}`);
		},
	};
}

/** A result is charged to each account of the task, a failure to none. */
function checkCharges(
	{ id, guildId, limitAccounts, request: { costCredits } }: Task,
	isCharged: boolean,
	entries: ReadonlyMap<string, number>,
): void {
	for (const account of [guildAccount(guildId), ...limitAccounts]) {
		const [reserved, posted, voided] = ["reserve", "post", "void"].map((kind) =>
			entries.get(`${account} ${kind}:${id}`),
		);
		const isCorrect = isCharged
			? Math.abs(posted ?? 0) === costCredits && voided === undefined
			: posted === undefined && (reserved === undefined || voided !== undefined);
		if (!isCorrect)
			throw new InvariantError(
				`${id}, charged: ${isCharged}, has in ${account} ${JSON.stringify({ reserved, posted, voided })}`,
			);
	}
}

/** The part of an outcome that its member sees. */
function notified(outcome: Outcome): string {
	return JSON.stringify(outcome.kind === "succeeded" ? outcome.files : outcome.why);
}
