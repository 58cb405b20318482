/** Stores tasks that the service has been running for half an hour. */
import { openStore } from "@atelier/store/open-store";
import { createTaskStore } from "../../src/services/tasks/task-store.ts";
import type { Task } from "../../src/services/tasks/task.ts";

const HOUR_MS = 60 * 60_000;

export async function storePendingTasks(storeUrl: string, count: number): Promise<void> {
	const store = await openStore(storeUrl);
	const tasks = createTaskStore(store);
	const nowMs = Date.now();
	await Promise.all(Array.from({ length: count }, (_, n) => tasks.create(pendingTask(n, nowMs))));
	await store.close();
}

function pendingTask(n: number, nowMs: number): Task {
	const id = String(4_000_000_000_000_000_000n + BigInt(n));
	const guildId = String(5_000_000_000_000_000_000n + BigInt(n));
	return {
		id,
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
		payment: { account: `guild:${guildId}`, limits: [], refillsAtMs: null, monthlyCredits: 0 },
		guildId,
		userId: "1",
		locale: "en-US",
		userLocale: "en-US",
		reply: {
			applicationId: "1",
			token: "none",
			tokenExpiresAtMs: nowMs,
			channelId: "1",
			messageId: "1",
			ephemeral: false,
			botInGuild: true,
			attachmentBytesMax: 1024,
		},
		createdAtMs: nowMs - HOUR_MS / 2,
		deadlineAtMs: nowMs + HOUR_MS,
		state: "submitted",
		remoteId: `pending-${n}`,
		submittedAtMs: nowMs - HOUR_MS / 2,
	};
}
