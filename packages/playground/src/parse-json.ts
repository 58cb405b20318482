/** Parses JSON, and keeps integers beyond a double's precision as strings, because ids need all of their digits. */
export function parseJson(text: string): unknown {
	return JSON.parse(text, keepDigits);
}

function keepDigits(_key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
	const isCut = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? "");
	return isCut ? source : value;
}
