/** Work that must not overlap, by the name of what it works on. */
export interface Turns {
	/** Runs `work` when everything asked for earlier under the same name is over, well or badly. */
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
