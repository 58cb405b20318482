interface Attended {
	readonly taskId: string;
	readonly account: string;
}

/** The open tasks that this process looks after, counted by account. */
export interface AttendedTasks<T extends Attended> {
	readonly size: number;
	get(taskId: string): T | undefined;
	/** Also in the place of what stood there for the same task. */
	add(entry: T): void;
	remove(taskId: string): void;
	sizeOf(account: string): number;
}

export function createAttendedTasks<T extends Attended>(): AttendedTasks<T> {
	const entries = new Map<string, T>();
	const countByAccount = new Map<string, number>();

	return {
		get size() {
			return entries.size;
		},
		get: (taskId) => entries.get(taskId),
		add(entry) {
			if (!entries.has(entry.taskId)) {
				countByAccount.set(entry.account, (countByAccount.get(entry.account) ?? 0) + 1);
			}
			entries.set(entry.taskId, entry);
		},
		remove(taskId) {
			const account = entries.get(taskId)?.account;
			if (account === undefined) return;
			entries.delete(taskId);
			const left = (countByAccount.get(account) ?? 1) - 1;
			if (left > 0) countByAccount.set(account, left);
			else countByAccount.delete(account);
		},
		sizeOf: (account) => countByAccount.get(account) ?? 0,
	};
}
