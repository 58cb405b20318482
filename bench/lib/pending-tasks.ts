import { openStore } from "@atelier/store/open-store";
import { createTaskStore } from "../../src/services/tasks/task-store.ts";
import type { TaskIn } from "../../src/services/tasks/task.ts";

const MINUTE_MS = 60_000;

/** Stores tasks that the service has been running for half an hour. */
export async function storePendingTasks(storeUrl: string, count: number): Promise<void> {
	const store = await openStore(storeUrl);
	const taskStore = createTaskStore(store);
	const submittedAtMs = Date.now() - 30 * MINUTE_MS;
	await Promise.all(Array.from({ length: count }, (_, n) => taskStore.create(pendingTask(n, submittedAtMs))));
	await store.close();
}

/** Returns the id of the task with the number `n`. */
export function pendingTaskId(n: number): string {
	return String(4_000_000_000_000_000_000n + BigInt(n));
}

/** Returns a free task that was submitted at that time, in a server of its own. Its reply can no longer be edited by its token. */
export function pendingTask(n: number, submittedAtMs: number): TaskIn<"submitted"> {
	const guildId = String(5_000_000_000_000_000_000n + BigInt(n));
	return {
		id: pendingTaskId(n),
		request: {
			mediaType: "video",
			model: "bench",
			modelName: "Bench",
			scene: "text-to-video",
			prompt: `a boat with the number ${n}`,
			options: {},
			costCredits: 0,
			typicalSeconds: 90,
		},
		limitAccounts: [],
		guildId,
		userId: "1",
		locale: "en-US",
		userLocale: "en-US",
		reply: {
			applicationId: "1",
			token: "none",
			tokenExpiresAtMs: submittedAtMs,
			channelId: "1",
			messageId: "1",
			isEphemeral: false,
			isBotInGuild: true,
			attachmentBytesMax: 1024,
		},
		presentation: {
			isSpoiler: false,
			opensThread: false,
			isPromptInFiles: false,
			isImprovable: false,
			isReportable: false,
		},
		createdAtMs: submittedAtMs,
		deadlineAtMs: submittedAtMs + 24 * 60 * MINUTE_MS,
		state: "submitted",
		remoteId: `pending-${n}`,
		submittedAtMs,
	};
}
