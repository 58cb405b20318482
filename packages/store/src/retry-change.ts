/** Documents change less often than this: more failed writes have another cause. */
const ATTEMPTS_MAX = 20;

/** Repeats a change that reads, and writes by compare-and-set, while it resolves to `conflict`: another write came first. */
export async function retryChange<Result>(
	what: string,
	tryChange: () => Promise<Result | "conflict">,
): Promise<Result> {
	for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
		const changed = await tryChange();
		if (changed !== "conflict") return changed;
	}
	throw new Error(`Cannot change ${what}: each of ${ATTEMPTS_MAX} writes met a concurrent one.`);
}
