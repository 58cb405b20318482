import { renderFinalReply } from "../../../src/services/tasks/render-result.ts";
import { createTaskStore, createHoldTaskLookup } from "../../../src/services/tasks/task-store.ts";
import type { Outcome, Task } from "../../../src/services/tasks/task.ts";
import type { TaskRequest } from "../../../src/services/tasks/task-service.ts";
import type { Disk } from "../faulty-disk.ts";
import { auditDisk, InvariantError, readAccount, readValue } from "../invariants.ts";
import type { FaultyDiscord } from "./faulty-discord.ts";
import type { FaultyService } from "./faulty-service.ts";

/** Observes the disk, the media service and the visible messages, and checks the invariants of tasks. */
export interface SagaObservations {
	asked(request: TaskRequest): void;
	/** The process acknowledged the task, which must survive every fault. */
	acknowledged(taskId: string): void;
	/** The service accepted a submit with this key. */
	completed(key: string): void;
	/** The visible reply of a task has changed. */
	shown(taskId: string): void;
	wrote(key: string, before: string | undefined, after: string): void;
	/** Checks the invariants after each step. */
	check(): void;
	/** Tasks that have not ended. */
	open(): readonly string[];
	isOver(): boolean;
	checkEnd(): Promise<void>;
}

interface ObservationsDeps {
	readonly disk: Disk;
	readonly discord: FaultyDiscord;
	readonly media: FaultyService;
	readonly saw: (what: string) => void;
}

/** The allowed transitions of a task, as the header of task.ts describes them. */
const ARROWS: Readonly<Record<Task["state"], readonly Task["state"][]>> = {
	created: ["created", "reserved", "finished", "settled"],
	reserved: ["reserved", "submitting", "finished", "settled"],
	submitting: ["submitting", "reserved", "submitted", "finished", "settled"],
	submitted: ["submitted", "finished", "settled"],
	finished: ["finished", "settled"],
	settled: ["settled", "delivered"],
	delivered: ["delivered", "settled", "withdrawn"],
	withdrawn: ["withdrawn"],
};
const TASK = "task:";
const ACCOUNT = "account:";

export function createSagaObservations({ disk, discord, media, saw }: ObservationsDeps): SagaObservations {
	const requests = new Map<string, TaskRequest>();
	const acknowledged = new Set<string>();
	const submits = new Map<string, number>();
	const changedAccounts = new Set<string>();
	let failure: InvariantError | undefined;

	const taskOf = (taskId: string): Task | undefined => {
		const text = disk.read(TASK + taskId);
		return text === undefined ? undefined : (readValue(text) as Task);
	};

	/** Cached, because every task is checked after every step, and few have changed. */
	const endings = new Map<string, { readonly text: string | undefined; readonly hasEnded: boolean }>();
	const hasEnded = (taskId: string): boolean => {
		const text = disk.read(TASK + taskId);
		const known = endings.get(taskId);
		if (known && known.text === text) return known.hasEnded;
		const end = { text, hasEnded: "shown" in (taskOf(taskId) ?? {}) };
		endings.set(taskId, end);
		return end.hasEnded;
	};

	function checkMove(before: Task, after: Task): void {
		if (!ARROWS[before.state].includes(after.state)) {
			throw new InvariantError(`${before.id} went from ${before.state} to ${after.state}`);
		}
		if (before.state !== after.state) saw(after.state);
		if ("outcome" in before && "outcome" in after && notifiedOf(before.outcome) !== notifiedOf(after.outcome)) {
			throw new InvariantError(`${before.id} had one outcome, and now another`);
		}
	}

	function checkAccount(key: string): void {
		const account = readAccount(disk.read(key), key);
		const held = account.holds.reduce((sum, { credits }) => sum + credits, 0);
		if (key.startsWith("account:guild:") && (held < 0 || held > account.postedCredits)) {
			throw new InvariantError(`${key} holds ${held} of ${account.postedCredits}`);
		}
	}

	function checkEndOf(taskId: string): void {
		const task = taskOf(taskId);
		if (task?.state !== "delivered" && task?.state !== "withdrawn")
			throw new InvariantError(`${taskId} is ${task?.state ?? "gone"} at the end`);
		const { outcome, chargedCredits, request, shown } = task;
		const due = outcome.kind === "succeeded" ? request.costCredits : 0;
		if (chargedCredits !== due) throw new InvariantError(`${taskId} was charged ${chargedCredits} instead of ${due}`);
		saw(outcome.kind === "succeeded" ? "succeeded" : outcome.why.key);
		saw(shown.kind === "delivered" ? shown.route : shown.kind);
		const { text, textWithoutFiles, textWithoutPrompt } = renderFinalReply({ ...task, state: "settled" });
		const answers = new Set([text, textWithoutFiles, textWithoutPrompt]);
		const ends = discord.visible(taskId).filter(({ content }) => answers.has(content));
		const isSeen = shown.kind === "delivered" && !discord.isDeleted(shown.messageId);
		// After a call of unknown outcome, the stored result may be visible nevertheless.
		const publicEnds = ends.filter(({ isEphemeral }) => !isEphemeral);
		const isRight = publicEnds.length <= 1 && (!isSeen || ends.length > 0);
		if (!isRight) throw new InvariantError(`${taskId} is seen ${ends.length} times: ${JSON.stringify(ends)}`);
	}

	return {
		asked: (request) => void requests.set(request.id, request),
		acknowledged: (taskId) => void acknowledged.add(taskId),
		completed(key) {
			const count = (submits.get(key) ?? 0) + 1;
			submits.set(key, count);
			if (count > 1) failure ??= new InvariantError(`the service was given ${key} ${count} times`);
		},
		shown(taskId) {
			const files = discord.visible(taskId).flatMap((message) => message.files);
			const state = taskOf(taskId)?.state ?? "gone";
			// A result is stored and charged before it is visible.
			const isPaid = state === "settled" || state === "delivered" || state === "withdrawn";
			if (files.length > 0 && !isPaid)
				failure ??= new InvariantError(`the result of ${taskId} is seen, and it is ${state}`);
		},
		wrote(key, before, after) {
			if (key.startsWith(ACCOUNT)) changedAccounts.add(key);
			if (!key.startsWith(TASK) || before === undefined) return;
			try {
				checkMove(readValue(before) as Task, readValue(after) as Task);
			} catch (error) {
				if (!(error instanceof InvariantError)) throw error;
				failure ??= error;
			}
		},
		check() {
			if (failure) throw failure;
			for (const key of changedAccounts) checkAccount(key);
			changedAccounts.clear();
			const uses = discord.expiredTokenUses();
			if (uses > 0) throw new InvariantError(`an expired token was used ${uses} times`);
		},
		open: () => [...requests.keys()].filter((id) => !hasEnded(id)),
		isOver: () =>
			[...requests.keys()].every((id) => acknowledged.has(id) && hasEnded(id) && disk.read(`open:${id}`) === undefined),
		async checkEnd() {
			await auditDisk(disk.texts(), (store) => createHoldTaskLookup(createTaskStore(store)));
			for (const taskId of requests.keys()) checkEndOf(taskId);
			saw(`service tasks ${media.tasks.size > 0 ? "some" : "none"}`);
		},
	};
}

/** The member's message about an outcome. */
function notifiedOf(outcome: Outcome): string {
	return JSON.stringify(outcome.kind === "succeeded" ? outcome.files : outcome.why);
}
