/** Shows and repairs the tasks of any server. The bot may use the store at the same time. */
import { Argument, type Command } from "@commander-js/extra-typings";
import type { MediaFile } from "../services/delivery/media-file.ts";
import { t } from "../i18n/messages.ts";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { requestCancel } from "../services/tasks/change-task.ts";
import { isPending, withoutDelivery, type Task } from "../services/tasks/task.ts";
import { createTaskStore, type TaskStore } from "../services/tasks/task-store.ts";
import { withStore, type CliContext, pluralize } from "./cli-context.ts";
import { parseTaskId } from "./parse-args.ts";

/** The filters of `tasks list`: open tasks, tasks that `isUnconfirmed` selects, or all. */
const TASK_FILTERS = ["open", "unconfirmed", "all"] as const;

export function defineTasks(tasks: Command, context: CliContext): void {
	tasks
		.description("Manages the tasks of all servers. Works while the bot runs; reads STORE_URL like the bot.")
		.addHelpText(
			"after",
			"\nID is the task's id from the log or /job. A change takes effect when the bot next runs the task, or at its start.",
		);
	tasks
		.command("list")
		.description("lists open tasks, or those in another state")
		.addArgument(new Argument("[which]", "which tasks").choices(TASK_FILTERS).default("open" as const))
		.addHelpText(
			"after",
			'\n"unconfirmed" lists tasks that the service may have accepted or finished without a charge: check them there.',
		)
		.action((filter) => withTasks(context, (deps) => list(filter, deps)));
	const defineForOneTask = (name: string, description: string, work: (id: string, deps: TasksDeps) => Promise<0 | 1>) =>
		tasks
			.command(name)
			.description(description)
			.argument("<id>", "the task's id", parseTaskId)
			.action((id) => withTasks(context, (deps) => work(id, deps)));
	defineForOneTask("show", "prints a task, without its prompt", show);
	defineForOneTask("cancel", "cancels a task: only delivered results are charged", cancel);
	defineForOneTask("redeliver", "retries the delivery of an undelivered result", redeliver);
}

type TasksDeps = Pick<CliContext, "clock" | "print" | "warn"> & { readonly taskStore: TaskStore };

async function withTasks(context: CliContext, work: (deps: TasksDeps) => Promise<0 | 1>): Promise<void> {
	await withStore(context, (store) => work({ ...context, taskStore: createTaskStore(store) }));
}

async function list(filter: (typeof TASK_FILTERS)[number], { taskStore, print }: TasksDeps): Promise<0> {
	let count = 0;
	for await (const task of filter === "open" ? openTasks(taskStore, print) : taskStore.all()) {
		if (filter === "unconfirmed" && !isUnconfirmed(task)) continue;
		await print(formatTask(task));
		count++;
	}
	await print(`${pluralize(count, "task", "tasks")}.`);
	return 0;
}

async function* openTasks(taskStore: TaskStore, print: TasksDeps["print"]): AsyncGenerator<Task> {
	for await (const taskId of taskStore.openIds()) {
		try {
			const loaded = await taskStore.load(taskId);
			if (loaded) yield loaded.task;
		} catch (error) {
			if (!(error instanceof CorruptDocumentError)) throw error;
			await print(`${taskId}  damaged: ${error.message}`);
		}
	}
}

/** Returns whether the service may have a task or a result that the bot does not know of or did not charge. */
function isUnconfirmed(task: Task): boolean {
	if (task.state === "unconfirmed") return true;
	if (task.state === "withdrawn") return task.end === "unknown";
	return "outcome" in task && task.outcome.kind === "failed" && task.outcome.abandoned !== undefined;
}

function formatTask({ id, guildId, request, createdAtMs, ...task }: Task): string {
	const cancelText = task.cancel ? "  cancel asked" : "";
	const createdAt = new Date(createdAtMs).toISOString();
	return `${id}  ${createdAt}  ${task.state}  ${request.mediaType}  ${request.costCredits} credits  server ${guildId}${cancelText}`;
}

async function show(taskId: string, { taskStore, print, warn }: TasksDeps): Promise<0 | 1> {
	const loaded = await taskStore.load(taskId);
	if (!loaded) return reportMissing(taskId, warn);
	const { request, reply, ...task } = loaded.task;
	// Omits the prompt and the interaction token: the terminal may be shared.
	const { prompt, options: _, ...requestFields } = request;
	const { token: __, ...replyTarget } = reply;
	await print(
		JSON.stringify(
			{ ...task, request: { ...requestFields, promptChars: prompt.length }, reply: replyTarget },
			undefined,
			2,
		),
	);
	if ("outcome" in task && task.outcome.kind === "failed") {
		await print(t("en", task.outcome.why));
		const { serviceError } = task.outcome;
		if (serviceError)
			await print(`The service said: ${[serviceError.code, serviceError.reason].filter(Boolean).join(": ")}`);
	}
	if ("outcome" in task && task.outcome.kind === "succeeded") {
		const previewIndex = task.outcome.files.findIndex(isPreview);
		if (previewIndex >= 0) {
			await print(
				`The member sees a preview. The full files stay in results/ for a week; the first is ${taskId}-${previewIndex}.full.`,
			);
		}
	}
	return 0;
}

function isPreview({ note }: MediaFile): boolean {
	return note?.kind === "preview";
}

async function cancel(taskId: string, { taskStore, clock, print, warn }: TasksDeps): Promise<0 | 1> {
	const task = await requestCancel(taskStore, taskId, { by: "operator", atMs: clock.nowMs() });
	if (!task) return reportMissing(taskId, warn);
	if (!isPending(task)) {
		warn(`Too late: it is ${task.state}. Nothing was changed.`);
		return 1;
	}
	const { costCredits } = task.request;
	await print(
		task.state === "reserved"
			? `Requested. The bot ends it when it next runs the task; ${costCredits} credits are returned.`
			: `Requested. The bot forwards it to the service. If the service stops the task, ${costCredits} credits are returned; if it finishes first, they are charged.`,
	);
	return 0;
}

async function redeliver(taskId: string, { taskStore, print, warn }: TasksDeps): Promise<0 | 1> {
	const loaded = await taskStore.load(taskId);
	if (!loaded) return reportMissing(taskId, warn);
	const { task } = loaded;
	if (task.state !== "delivered" || task.shown.kind !== "undelivered") {
		const why = isPending(task) ? "it has no result yet" : `it is ${task.state}`;
		warn(`Not possible: ${why}. Nothing was changed.`);
		return 1;
	}
	if (task.isRestored && task.outcome.kind === "failed") {
		warn(
			"Not possible: it was restored from a backup and failed. Its reply may show a later result. Nothing was changed.",
		);
		return 1;
	}
	const reopened = await taskStore.move(loaded, withoutDelivery(task));
	if (!reopened) {
		warn("Another process changed the task meanwhile. Check it again.");
		return 1;
	}
	await print("The bot delivers it within a minute, or at its next start.");
	return 0;
}

function reportMissing(taskId: string, warn: TasksDeps["warn"]): 1 {
	warn(`There is no task ${taskId}. Finished tasks are removed after the retention period.`);
	return 1;
}
