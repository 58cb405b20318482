import { SOURCES, type Judged, type Source, type Verdict } from "./rule.ts";

const TITLES = {
	specification: "The specification",
	document: "The service's own OpenAPI document",
	choice: "Our choices: the specification leaves these open, and another service may do otherwise",
} as const satisfies Record<Source, string>;

const WORDS = {
	passed: "passed     ",
	failed: "FAILED     ",
	noted: "note       ",
	notOffered: "not offered",
} as const;

/** Tasks that the rules submit to a service which is like the studio. */
export const SUBMITTED_TASKS = 12;
/** And to one without a document that refuses nothing. */
export const SUBMITTED_TASKS_MAX = 28;

export function titleOf(source: Source): string {
	return TITLES[source];
}

/** A choice that another service does not share is a note, except where a service is to be like the studio. */
export function counted(judged: Judged, { choicesCount }: { readonly choicesCount: boolean }): Judged {
	const { source, verdict } = judged;
	const isNote = source === "choice" && !choicesCount && verdict.kind === "failed";
	return isNote ? { ...judged, verdict: { ...verdict, kind: "noted" } } : judged;
}

export function lineOf({ about, title, verdict }: Judged): string {
	const line = `  ${WORDS[verdict.kind]}  ${about}: ${title}`;
	return verdict.kind === "passed"
		? line
		: `${line}\n               ${verdict.why.replaceAll("\n", "\n               ")}`;
}

export function summaryOf(judged: readonly Judged[]): string {
	return SOURCES.map((source) => {
		const count = (kind: Verdict["kind"]): number =>
			judged.filter((each) => each.source === source && each.verdict.kind === kind).length;
		return `${source}: ${count("passed")} passed, ${count("failed")} failed, ${count("noted")} noted, ${count("notOffered")} not offered`;
	}).join("\n");
}

/** Rules beyond the specification count only for services that should behave like the studio. */
export function conforms(judged: readonly Judged[], { choicesCount }: { readonly choicesCount: boolean }): boolean {
	return !judged.some((each) => counted(each, { choicesCount }).verdict.kind === "failed");
}
