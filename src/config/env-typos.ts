/** A set variable that Atelier does not read, and an unset one with a similar name. */
export interface EnvTypo {
	readonly variable: string;
	readonly similarName: string;
}

/** Shorter names are too similar to unrelated ones, such as PATH and PORT. */
const NAME_CHARS_MIN = 6;
/** Names of at least this length may differ in two letters, shorter ones in one. */
const LONG_NAME_CHARS = 12;

/** Finds set variables outside `known` whose names resemble an unset one of `known`. */
export function findEnvTypos(env: NodeJS.ProcessEnv, known: readonly string[]): readonly EnvTypo[] {
	const unknown = Object.keys(env).filter((name) => name.length >= NAME_CHARS_MIN && !known.includes(name));
	return unknown.flatMap((variable) => {
		const editsMax = variable.length >= LONG_NAME_CHARS ? 2 : 1;
		const similarName = known.find(
			(name) =>
				(env[name] ?? "") === "" &&
				Math.abs(variable.length - name.length) <= editsMax &&
				editDistance(variable, name) <= editsMax,
		);
		return similarName === undefined ? [] : [{ variable, similarName }];
	});
}

/** Returns the Levenshtein distance, with the usual table of distances between all beginnings of both texts, row by row. */
function editDistance(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (const [rowIndex, letter] of Array.from(one).entries()) {
		const nextRow = [rowIndex + 1];
		for (let index = 1; index <= other.length; index++) {
			const substituted = (row[index - 1] ?? 0) + (letter === other[index - 1] ? 0 : 1);
			const deleted = (row[index] ?? 0) + 1;
			const inserted = (nextRow[index - 1] ?? 0) + 1;
			nextRow.push(Math.min(substituted, deleted, inserted));
		}
		row = nextRow;
	}
	return row.at(-1) ?? 0;
}
