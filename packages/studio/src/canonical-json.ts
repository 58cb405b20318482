const DEPTH_MAX = 32;

/** Returns the same text for equal JSON values, regardless of the order of keys; `undefined` if nested too deeply. */
export function canonicalJson(value: unknown, depthLeft = DEPTH_MAX): string | undefined {
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	if (depthLeft === 0) return undefined;
	const parts: string[] = [];
	if (Array.isArray(value)) {
		for (const item of value) {
			const text = canonicalJson(item, depthLeft - 1);
			if (text === undefined) return undefined;
			parts.push(text);
		}
		return `[${parts.join(",")}]`;
	}
	const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
	for (const [name, member] of entries) {
		const text = canonicalJson(member, depthLeft - 1);
		if (text === undefined) return undefined;
		parts.push(`${JSON.stringify(name)}:${text}`);
	}
	return `{${parts.join(",")}}`;
}
