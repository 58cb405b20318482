const DEPTH_MAX = 32;

/** The same text for the same JSON value, whatever the order of its keys; `undefined` where it is nested too deep. */
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
