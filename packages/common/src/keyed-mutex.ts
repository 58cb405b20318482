/** Runs work for the same key in order, and for different keys concurrently. */
export function createKeyedMutex(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
	const tails = new Map<string, Promise<unknown>>();

	return async (key, work) => {
		const before = tails.get(key);
		const mine = before ? before.then(work, work) : work();
		const tail = mine.catch(() => {});
		tails.set(key, tail);
		try {
			return await mine;
		} finally {
			if (tails.get(key) === tail) tails.delete(key);
		}
	};
}
