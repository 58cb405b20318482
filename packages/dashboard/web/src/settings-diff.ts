/** Compares settings, and carries changes over to newer settings. Pure. */
import type { ServerSettings } from "../../src/schemas.ts";

/** The keys on the way to a value, such as `["allowance", "roles", "42"]`. */
export type Path = readonly string[];
type Node = Readonly<Record<string, unknown>>;

/** The paths of all values that differ. A list is one value; so is an object that replaces `null`. */
export function changedPaths(before: unknown, after: unknown, path: Path = []): readonly Path[] {
	if (isNode(before) && isNode(after)) {
		const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
		return [...keys].flatMap((key) => changedPaths(before[key], after[key], [...path, key]));
	}
	return isSame(before, after) ? [] : [path];
}

export interface Rebased {
	readonly settings: ServerSettings;
	/** The values that both sides changed differently. */
	readonly overlaps: readonly Path[];
}

/** Applies the changes from `base` to `draft` on top of `theirs`. The draft wins where both changed a value. */
export function rebase(base: ServerSettings, draft: ServerSettings, theirs: ServerSettings): Rebased {
	const mine = changedPaths(base, draft);
	const settings = mine.reduce<unknown>((tree, path) => withValueOf(draft, tree, path), theirs);
	const overlaps = mine.filter((path) => {
		const other = valueAt(theirs, path);
		return !isSame(valueAt(base, path), other) && !isSame(valueAt(draft, path), other);
	});
	return { settings: settings as ServerSettings, overlaps };
}

function valueAt(tree: unknown, path: Path): unknown {
	return path.reduce<unknown>((node, key) => (isNode(node) ? node[key] : undefined), tree);
}

/** Copies one value from `source`, or the whole object where `tree` has none: a part of an object would be invalid. */
function withValueOf(source: unknown, tree: unknown, [key, ...rest]: Path): unknown {
	if (key === undefined || !isNode(tree)) return source;
	const { [key]: old, ...others } = tree;
	const changed = withValueOf(isNode(source) ? source[key] : undefined, old, rest);
	return changed === undefined ? others : { ...tree, [key]: changed };
}

function isNode(value: unknown): value is Node {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The order of keys and lists has no meaning: the bot stores no change for another order. */
function isSame(a: unknown, b: unknown): boolean {
	if (isNode(a) && isNode(b)) return changedPaths(a, b).length === 0;
	if (Array.isArray(a) && Array.isArray(b)) return isContained(a, b) && isContained(b, a);
	return JSON.stringify(a) === JSON.stringify(b);
}

function isContained(list: readonly unknown[], others: readonly unknown[]): boolean {
	return list.every((each) => others.some((other) => isSame(each, other)));
}
