/** Compares what members see with what was generated and charged. */
import type { Reply } from "@atelier/playground/user-client";
import { createAuditor } from "@atelier/ledger/auditor";
import type { Store } from "@atelier/store/store";
import { createTaskStore, createHoldTaskLookup } from "../../../src/services/tasks/task-store.ts";
import type { Task } from "../../../src/services/tasks/task.ts";

const COST_CREDITS = 4;

export interface Compared {
	/** Commands that became tasks, and those that came while no bot was connected. */
	readonly tasks: number;
	readonly notTaken: number;
	readonly completed: number;
	/** Told why they were not made: only where the service may be away. */
	readonly refused: number;
	/** The faults that were found. */
	readonly faults: readonly string[];
}

/** Every task has one visible end and was ordered once, and every credit is accounted for. */
export async function compare(
	store: Store,
	studioStore: Store,
	replies: readonly Reply[],
	{ mayBeRefused = false }: { readonly mayBeRefused?: boolean } = {},
): Promise<Compared> {
	const faults: string[] = [];
	const submits = new Map<string, number>();
	for await (const { value } of studioStore.scan<{ idempotencyKey?: string | null; prompt?: string }>("studio-task:")) {
		const prompt = value.prompt ?? "";
		submits.set(prompt, (submits.get(prompt) ?? 0) + 1);
	}
	let tasks = 0;
	let completed = 0;
	let refused = 0;
	let chargedCredits = 0;
	for (const reply of replies) {
		const task = (await store.get<Task>(`task:${reply.interactionId}`))?.value;
		if (!task) continue;
		tasks += 1;
		faults.push(...faultsOf(task, reply, mayBeRefused).map((fault) => `${task.id}: ${fault}`));
		const submitted = submits.get(task.request.prompt) ?? 0;
		if (submitted > 1) faults.push(`${task.id}: submitted ${submitted} times`);
		if (task.state !== "delivered") continue;
		chargedCredits += task.chargedCredits;
		if (task.outcome.kind === "succeeded") completed += 1;
		else refused += 1;
	}
	for await (const { account, findings } of createAuditor({
		store,
		holdTaskState: createHoldTaskLookup(createTaskStore(store)),
	}).all()) {
		faults.push(...findings.map((finding) => `${account}: ${JSON.stringify(finding)}`));
	}
	if (chargedCredits !== completed * COST_CREDITS) faults.push(`${chargedCredits} credits for ${completed} pictures`);
	return { tasks, notTaken: replies.length - tasks, completed, refused, faults };
}

function faultsOf(task: Task, reply: Reply, mayBeRefused: boolean): string[] {
	if (task.state !== "delivered") return [`is ${task.state}`];
	const isRefused = task.outcome.kind === "failed";
	// Only for runs without outages and with enough credits.
	if (task.outcome.kind === "failed" && !mayBeRefused) return [`was not made: ${task.outcome.why.key}`];
	const ends = reply.messages().filter(({ content }) => content !== "");
	if (ends.length !== 1) return [`its person sees ${ends.length} messages`];
	const files = ends[0]?.attachments.length ?? 0;
	return files === (isRefused ? 0 : 1) ? [] : [`its person sees ${files} files`];
}
