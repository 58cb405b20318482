/**
 * A position in an account's list of tasks. The store sorts keys in ascending order and the list starts with the
 * newest, so its keys count down.
 */
interface ListPosition {
	readonly taskId: string;
	readonly createdAtMs: number;
}

const COUNT_DOWN_FROM = 999_999_999_999_999;
const DIGITS = 15;
const CURSOR = /^(\d{15})-(task_[0-9a-f]{32})$/;
const CURSOR_CHARS_MAX = 128;

export function taskListPrefix(account: string): string {
	return `studio-list:${account}:`;
}

export function taskListKey(account: string, position: ListPosition): string {
	return taskListPrefix(account) + textOf(position);
}

/** Encodes a position as an opaque cursor for the client. */
export function cursorOf(position: ListPosition): string {
	return Buffer.from(textOf(position)).toString("base64url");
}

/** `undefined` for an invalid cursor. */
export function positionOf(cursor: string): ListPosition | undefined {
	if (cursor.length > CURSOR_CHARS_MAX) return undefined;
	const [, countedDown, taskId] = CURSOR.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
	return taskId === undefined ? undefined : { taskId, createdAtMs: COUNT_DOWN_FROM - Number(countedDown) };
}

function textOf({ createdAtMs, taskId }: ListPosition): string {
	return `${String(COUNT_DOWN_FROM - createdAtMs).padStart(DIGITS, "0")}-${taskId}`;
}
