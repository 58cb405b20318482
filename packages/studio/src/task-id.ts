import { hash, randomUUID } from "node:crypto";

const TASK_ID = /^task_[0-9a-f]{32}$/;

export function isTaskId(text: string): boolean {
	return TASK_ID.test(text);
}

/**
 * The time, then the last 74 random bits of a UUID, which cost less than random bytes of their own. Ids of recent tasks are adjacent
 * in the store, so that its index changes in one place.
 */
export function randomTaskId(nowMs: number): string {
	return `task_${nowMs.toString(16).padStart(12, "0")}${randomUUID().replaceAll("-", "").slice(12)}`;
}

/** Derives the id from the idempotency key, so that the task itself proves that the key was used. */
export function taskIdOfKey(account: string, idempotencyKey: string): string {
	return `task_${hash("sha256", JSON.stringify([account, idempotencyKey])).slice(0, 32)}`;
}
