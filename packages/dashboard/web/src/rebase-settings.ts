/** Carries changes of settings over to newer settings. Pure. */
import { changedPaths, isSame, valueAt, withValue, type Path } from "../../src/setting-paths.ts";
import type { ServerSettings } from "../../src/server-settings.ts";

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
