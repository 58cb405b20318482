/** The ids of tasks: those of the interactions that started them. */

/** Larger than any id. Ids are subtracted from it, so that the newest comes first in key order. */
const ABOVE_EVERY_ID = 10n ** 25n;

/** Returns the part of a key that sorts the newest id first. */
export function newestFirst(id: string): string {
	return String(ABOVE_EVERY_ID - BigInt(id)).padStart(25, "0");
}

/** Returns whether a text can be the id of a task: members can type it, and forge custom ids. */
export function isTaskId(text: string): boolean {
	return /^\d{1,25}$/.test(text);
}
