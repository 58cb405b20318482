const STOCK_BYTES = 4096;

/** The same random bytes, drawn many at a time: asking the system costs more than a small answer does. Each is given out once. */
export function createRandomStock(randomBytes: (size: number) => Uint8Array): (size: number) => Uint8Array {
	let stock = new Uint8Array();

	return (size) => {
		if (size > STOCK_BYTES) return randomBytes(size);
		if (stock.byteLength < size) stock = Uint8Array.from(randomBytes(STOCK_BYTES));
		const drawn = stock.subarray(0, size);
		stock = stock.subarray(size);
		return drawn;
	};
}
