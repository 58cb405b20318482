/**
 * The JSON of an account, without making all of it for each change. Its lists are most of it, and mostly something comes to what
 * stood in them: then their text is taken over from what was written last. What comes of it is what `JSON.stringify` makes.
 */
import { isPlain } from "../store/plain-json.ts";
import type { Account } from "./account.ts";

/** From and to, in a text. */
type Place = readonly [from: number, to: number];

/** An account, and where the items of its lists stand in its JSON. */
export interface AccountJson {
	readonly account: Account;
	readonly json: string;
	readonly holds: Place;
	readonly entries: Place;
}

const BEGINNING = '{"postedCredits":';

/** `undefined` where the store writes something of it in a way of its own. */
export function jsonOf(account: Account, last: AccountJson | undefined): AccountJson | undefined {
	const { postedCredits, shares, holds, seq, entries, ...rest } = account;
	// A field that is missing above would not be written.
	rest satisfies Record<string, never>;
	const sharesJson = JSON.stringify(shares);
	const holdsJson = itemsOf(holds, last?.account.holds, last && textAt(last.json, last.holds));
	const entriesJson = itemsOf(entries, last?.account.entries, last && textAt(last.json, last.entries));
	if (holdsJson === undefined || entriesJson === undefined || !isPlain(sharesJson)) return undefined;
	const beforeHolds = `${BEGINNING}${postedCredits},"shares":${sharesJson},"holds":[`;
	const beforeEntries = `],"seq":${seq},"entries":[`;
	const holdsEnd = beforeHolds.length + holdsJson.length;
	const entriesStart = holdsEnd + beforeEntries.length;
	return {
		account,
		json: `${beforeHolds}${holdsJson}${beforeEntries}${entriesJson}]}`,
		holds: [beforeHolds.length, holdsEnd],
		entries: [entriesStart, entriesStart + entriesJson.length],
	};
}

/** The same as a part of the text that is kept anyway, so that nothing is in memory twice. */
export function keptIn(raw: string, made: AccountJson): AccountJson | undefined {
	const from = raw.indexOf(BEGINNING);
	return from < 0 ? undefined : { ...made, json: raw.slice(from, from + made.json.length) };
}

function itemsOf(list: readonly object[], before: readonly object[] = [], text = ""): string | undefined {
	const goesOn = before.every((item, index) => list[index] === item);
	const added = JSON.stringify(goesOn ? list.slice(before.length) : list);
	if (!isPlain(added)) return undefined;
	const [kept, more] = [goesOn ? text : "", added.slice(1, -1)];
	return kept !== "" && more !== "" ? `${kept},${more}` : kept + more;
}

function textAt(json: string, [from, to]: Place): string {
	return json.slice(from, to);
}
