/** A set variable that Atelier does not read, and an unset one with a similar name. */
export interface EnvTypo {
	readonly variable: string;
	readonly similarName: string;
}

/** Shorter names are too similar to unrelated ones, such as PATH and PORT. */
const CHARS_MIN = 6;
/** Names of this length may differ in two letters. */
const LONG_CHARS = 12;

/** Finds set variables that look like an unset one of `known`. */
export function findEnvTypos(env: NodeJS.ProcessEnv, known: readonly string[]): readonly EnvTypo[] {
	const unknown = Object.keys(env).filter((name) => name.length >= CHARS_MIN && !known.includes(name));
	return unknown.flatMap((variable) => {
		const editsMax = variable.length >= LONG_CHARS ? 2 : 1;
		const similarName = known.find(
			(name) =>
				(env[name] ?? "") === "" &&
				Math.abs(variable.length - name.length) <= editsMax &&
				editDistance(variable, name) <= editsMax,
		);
		return similarName === undefined ? [] : [{ variable, similarName }];
	});
}

/** The Levenshtein distance. */
function editDistance(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (const [down, letter] of Array.from(one).entries()) {
		const next = [down + 1];
		for (let index = 1; index <= other.length; index++) {
			const changed = (row[index - 1] ?? 0) + (letter === other[index - 1] ? 0 : 1);
			next.push(Math.min(changed, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
		}
		row = next;
	}
	return row.at(-1) ?? 0;
}
