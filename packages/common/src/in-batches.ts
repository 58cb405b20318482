/** Yields the items in arrays of `itemsMax`; the last one may have fewer. */
export async function* inBatches<Item>(items: AsyncIterable<Item>, itemsMax: number): AsyncGenerator<readonly Item[]> {
	let batch: Item[] = [];
	for await (const item of items) {
		batch.push(item);
		if (batch.length < itemsMax) continue;
		yield batch;
		batch = [];
	}
	if (batch.length > 0) yield batch;
}
