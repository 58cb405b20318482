import type { Store } from "./store.ts";

/** Returns the value of the document, and creates it if there is none. All processes on the store get the same one. */
export async function getOrCreate<T>(
	store: Pick<Store, "get" | "compareAndSet">,
	key: string,
	create: () => T,
): Promise<T> {
	const existing = await store.get<T>(key);
	if (existing) return existing.value;
	const created = create();
	if ((await store.compareAndSet(key, undefined, created)) !== undefined) return created;
	const createdElsewhere = await store.get<T>(key);
	if (!createdElsewhere) throw new Error(`${key} was removed while it was created`);
	return createdElsewhere.value;
}
