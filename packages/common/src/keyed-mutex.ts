/** Runs work for the same key in order, and for different keys concurrently. */
export function createKeyedMutex(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
	/** The last work of each key. Its failure is caught. */
	const tails = new Map<string, Promise<unknown>>();

	return async (key, work) => {
		const previous = tails.get(key);
		const result = previous ? previous.then(work, work) : work();
		const tail = result.catch(() => {});
		tails.set(key, tail);
		try {
			return await result;
		} finally {
			if (tails.get(key) === tail) tails.delete(key);
		}
	};
}
