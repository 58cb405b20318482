/** Serializes work by a key. */
export interface Turns {
	/** Runs `work` after all earlier work of the same key has settled. */
	readonly take: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
}

export function createTurns(): Turns {
	const last = new Map<string, Promise<unknown>>();
	return {
		async take(name, work) {
			const before = last.get(name) ?? Promise.resolve();
			const own = before.then(work, work);
			last.set(name, own);
			try {
				return await own;
			} finally {
				if (last.get(name) === own) last.delete(name);
			}
		},
	};
}
