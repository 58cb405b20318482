/** Works through a queue, a few items at a time. Stops early when the caller empties the queue. */
export async function workThrough<Item>(
	queue: Item[],
	itemsAtOnce: number,
	work: (item: Item) => Promise<void>,
): Promise<void> {
	async function worker(): Promise<void> {
		for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
	}
	await Promise.all(Array.from({ length: itemsAtOnce }, worker));
}
