import { hash, randomBytes } from "node:crypto";

const TASK_ID = /^task_[0-9a-f]{32}$/;

export function isTaskId(text: string): boolean {
	return TASK_ID.test(text);
}

/** The time, then 80 random bits: ids of recent tasks are adjacent in the store, so that its index changes in one place. */
export function randomTaskId(nowMs: number): string {
	return `task_${nowMs.toString(16).padStart(12, "0")}${randomBytes(10).toString("hex")}`;
}

/** Derives the id from the idempotency key, so that the task itself proves that the key was used. */
export function taskIdOfKey(account: string, idempotencyKey: string): string {
	return `task_${hash("sha256", JSON.stringify([account, idempotencyKey])).slice(0, 32)}`;
}
