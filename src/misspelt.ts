/** A variable that nobody reads, and one that it may have been meant to be. */
export interface Misspelt {
	readonly variable: string;
	readonly like: string;
}

/** Short names differ by a letter from much that is not ours: PATH and PORT, for one. */
const CHARS_MIN = 6;
/** From this length on two letters may be wrong. */
const LONG_CHARS = 12;

/** What looks like one of the `known` variables, where that one is not set: a typing mistake would go unseen. */
export function misspeltIn(env: NodeJS.ProcessEnv, known: readonly string[]): readonly Misspelt[] {
	const strange = Object.keys(env).filter((name) => name.length >= CHARS_MIN && !known.includes(name));
	return strange.flatMap((variable) => {
		const wrongMax = variable.length >= LONG_CHARS ? 2 : 1;
		const like = known.find((name) => (env[name] ?? "") === "" && lettersApart(variable, name) <= wrongMax);
		return like === undefined ? [] : [{ variable, like }];
	});
}

/** How many letters are to be added, taken away or changed (Levenshtein's distance). */
function lettersApart(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_, at) => at);
	for (const [down, letter] of Array.from(one).entries()) {
		const next = [down + 1];
		for (let at = 1; at <= other.length; at++) {
			const changed = (row[at - 1] ?? 0) + (letter === other[at - 1] ? 0 : 1);
			next.push(Math.min(changed, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
		}
		row = next;
	}
	return row.at(-1) ?? 0;
}
