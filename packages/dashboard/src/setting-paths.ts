/** Compares settings, and reads and changes their values by paths. Pure. */

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

export function valueAt(tree: unknown, path: Path): unknown {
	return path.reduce<unknown>((node, key) => (isNode(node) ? node[key] : undefined), tree);
}

/** Returns a copy of the tree with this value, or without one for `undefined`; the tree itself if it has no such place. */
export function withValue(tree: unknown, [key, ...rest]: Path, value: unknown): unknown {
	if (key === undefined) return value;
	if (!isNode(tree)) return tree;
	const { [key]: old, ...others } = tree;
	const changed = withValue(old, rest, value);
	return changed === undefined ? others : { ...tree, [key]: changed };
}

/** The order of keys and lists has no meaning: the bot stores no change for another order. */
export function isSame(a: unknown, b: unknown): boolean {
	if (isNode(a) && isNode(b)) return changedPaths(a, b).length === 0;
	if (Array.isArray(a) && Array.isArray(b)) return withoutItems(a, b).length + withoutItems(b, a).length === 0;
	return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns the items of a list that another list does not have. */
export function withoutItems(list: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
	return list.filter((each) => !others.some((other) => isSame(each, other)));
}

function isNode(value: unknown): value is Node {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
