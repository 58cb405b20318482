import type { DeliveredResult } from "../../src/services/tasks/delivered-result.ts";
import type { Task } from "../../src/services/tasks/task.ts";
import { submission } from "./submission.ts";

const { roleIds: _roleIds, channel: _channel, ...requested } = submission;
const base = {
	...requested,
	limitAccounts: [],
	createdAtMs: 1,
	deadlineAtMs: 2,
};

export const reservedTask: Task = { ...base, state: "reserved" };

/** A task whose result is in the channel. */
export const deliveredTask: DeliveredResult = {
	...base,
	state: "delivered",
	outcome: { kind: "succeeded", files: [], seed: null },
	chargedCredits: 4,
	leftCredits: 6,
	shown: { kind: "delivered", route: "tokenEdit", messageId: "77", withFiles: true },
	deliveredAtMs: 2,
};

export const failedTask: Task = {
	...deliveredTask,
	outcome: { kind: "failed", cause: "error", why: { key: "service.timedOut" } },
	chargedCredits: 0,
	shown: { kind: "undelivered" },
};
