/** The rows of a journal of credits. Pure. */
import type { History } from "../../src/schemas/credits.ts";

type Entry = History["items"][number];

/** Returns the entries, newest first, without the reservations of jobs that were charged or got them back: one row for each charge. */
export function withoutEndedHolds(entries: readonly Entry[]): readonly Entry[] {
	const ended = new Set(entries.filter(({ kind }) => kind === "post" || kind === "void").map(({ taskId }) => taskId));
	return entries.filter(({ kind, taskId }) => kind !== "reserve" || !ended.has(taskId));
}
