/** Compares settings, and carries changes over to newer settings. Pure. */
import type { ServerSettings } from "../../src/settings-schema.ts";

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

interface Rebased {
	readonly settings: ServerSettings;
	/** True if a value of the draft was dropped for another one. */
	readonly isDropped: boolean;
}

/** Applies the changes from `base` to `draft` on top of `theirs`, which win where both changed a value that is no list. */
export function rebase(base: ServerSettings, draft: ServerSettings, theirs: ServerSettings): Rebased {
	const changed = changedPaths(base, draft);
	const valuesAt = (path: Path) => [base, draft, theirs].map((tree) => valueAt(tree, path));
	const settings = changed.reduce<unknown>((tree, path) => withValue(tree, path, rebasedValue(valuesAt(path))), theirs);
	const isDropped = changed.some(
		(path) => !valuesAt(path).every(Array.isArray) && !isSame(valueAt(draft, path), valueAt(settings, path)),
	);
	return { settings: settings as ServerSettings, isDropped };
}

/** Both may add entries to a list, and remove others. */
function rebasedValue([base, draft, theirs]: readonly unknown[]): unknown {
	if (isSame(base, theirs)) return draft;
	if (!Array.isArray(base) || !Array.isArray(draft) || !Array.isArray(theirs)) return theirs;
	const kept = theirs.filter((each) => draft.includes(each) || !base.includes(each));
	const added = draft.filter((each) => !base.includes(each));
	return [...new Set([...kept, ...added])];
}

export function valueAt(tree: unknown, path: Path): unknown {
	return path.reduce<unknown>((node, key) => (isNode(node) ? node[key] : undefined), tree);
}

/** Returns a copy of the tree with this value, or without one for `undefined`; the tree itself if it has no such place. */
function withValue(tree: unknown, [key, ...rest]: Path, value: unknown): unknown {
	if (key === undefined) return value;
	if (!isNode(tree)) return tree;
	const { [key]: old, ...others } = tree;
	const changed = withValue(old, rest, value);
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
