/** Compares the replies that members see with the submitted tasks and the ledger. */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { Reply } from "@atelier/playground/user-client";
import { createAuditor } from "@atelier/ledger/audit-store";
import type { Store } from "@atelier/store/store";
import { createTaskStore, createHoldTaskLookup } from "../../../src/services/tasks/task-store.ts";
import type { Task } from "../../../src/services/tasks/task.ts";

/** The price of each image in the studios that the crash test and the bench use. */
const COST_CREDITS = 4;

export type Comparison = Awaited<ReturnType<typeof compareReplies>>;

/**
 * Checks that every task has one visible result and was submitted at most once, and that the ledger is consistent. With `mayFail`, the
 * result may be the reason why the task failed.
 */
export async function compareReplies(
	store: Store,
	studioStore: Store,
	replies: readonly Reply[],
	{ mayFail = false }: { readonly mayFail?: boolean } = {},
) {
	const violations: string[] = [];
	const submissions = new Map<string, number>();
	for await (const { value } of studioStore.scan<{ prompt?: string }>("studio-task:")) {
		const prompt = value.prompt ?? "";
		submissions.set(prompt, (submissions.get(prompt) ?? 0) + 1);
	}
	let tasks = 0;
	let succeeded = 0;
	let failed = 0;
	let chargedCredits = 0;
	for (const reply of replies) {
		const task = (await store.get<Task>(`task:${reply.interactionId}`))?.value;
		if (!task) continue;
		tasks += 1;
		violations.push(...violationsOf(task, reply, mayFail).map((violation) => `${task.id}: ${violation}`));
		const submitCount = submissions.get(task.request.prompt) ?? 0;
		if (submitCount > 1) violations.push(`${task.id}: submitted ${submitCount} times`);
		if (task.state !== "delivered") continue;
		chargedCredits += task.chargedCredits;
		if (task.outcome.kind === "succeeded") succeeded += 1;
		else failed += 1;
	}
	for await (const { account, findings } of createAuditor({
		store,
		holdTaskState: createHoldTaskLookup(createTaskStore(store)),
	}).all()) {
		violations.push(...findings.map((finding) => `${account}: ${JSON.stringify(finding)}`));
	}
	if (chargedCredits !== succeeded * COST_CREDITS)
		violations.push(`${succeeded} images cost ${chargedCredits} credits`);
	// A command without a task got no answer, for example because its bot was killed first.
	return { tasks, unanswered: replies.length - tasks, succeeded, failed, violations };
}

function violationsOf(task: Task, reply: Reply, mayFail: boolean): string[] {
	if (task.state !== "delivered") return [`is ${task.state}`];
	if (task.outcome.kind === "failed" && !mayFail) return [`failed: ${task.outcome.why.key}`];
	const messages = reply.messages().filter((message) => textOf(message) !== "");
	if (messages.length !== 1) return [`its member sees ${messages.length} messages`];
	const files = messages[0] ? filesOf(messages[0]).length : 0;
	return files === (task.outcome.kind === "failed" ? 0 : 1) ? [] : [`its member sees ${files} files`];
}
