/** Who wants to know when something about a task changes in this process. */
export interface TaskWatch {
	/** Something has changed: a move, or what an engine said of its progress. */
	changed(taskId: string): void;
	/** Notes changes from now on. */
	open(taskId: string): Watch;
}

interface Watch {
	/** Resolves at the next change, at once where there was one since the last call. */
	next(): Promise<void>;
	close(): void;
}

interface Watcher {
	hasNews: boolean;
	tell: () => void;
}

export function createTaskWatch(): TaskWatch {
	const watchers = new Map<string, Set<Watcher>>();

	return {
		changed(taskId) {
			for (const watcher of watchers.get(taskId) ?? []) {
				watcher.hasNews = true;
				watcher.tell();
			}
		},
		open(taskId) {
			const watcher: Watcher = { hasNews: false, tell: () => {} };
			const those = watchers.get(taskId) ?? new Set();
			watchers.set(taskId, those.add(watcher));
			return {
				next: () =>
					new Promise<void>((resolve) => {
						watcher.tell = () => {
							watcher.hasNews = false;
							watcher.tell = () => {};
							resolve();
						};
						if (watcher.hasNews) watcher.tell();
					}),
				close() {
					those.delete(watcher);
					if (those.size === 0) watchers.delete(taskId);
				},
			};
		},
	};
}
