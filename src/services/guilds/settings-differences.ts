/** What one change did to a server's settings: pure, field by field. */
import { isDeepStrictEqual } from "node:util";

/** One field; of a list only what left it and what came into it. */
export interface FieldChange {
	/** As in the exported settings, such as `access.channels.allowed`. */
	readonly path: string;
	/** Absent where there was none. */
	readonly before?: unknown;
	readonly after?: unknown;
}

export function differencesOf(before: unknown, after: unknown, path = ""): readonly FieldChange[] {
	if (isDeepStrictEqual(before, after)) return [];
	if (Array.isArray(before) && Array.isArray(after)) {
		return [{ path, before: without(before, after), after: without(after, before) }];
	}
	if (isGroup(before) && isGroup(after)) {
		return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
			differencesOf(before[name], after[name], path === "" ? name : `${path}.${name}`),
		);
	}
	return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
}

function isGroup(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function without(list: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
	return list.filter((each) => !others.some((other) => isDeepStrictEqual(each, other)));
}
