import { SOURCES, type CheckedRule, type Source, type Verdict } from "./rule.ts";

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
export function counted(checked: CheckedRule, { choicesCount }: { readonly choicesCount: boolean }): CheckedRule {
	const { source, verdict } = checked;
	const isNote = source === "choice" && !choicesCount && verdict.kind === "failed";
	return isNote ? { ...checked, verdict: { ...verdict, kind: "noted" } } : checked;
}

export function lineOf({ about, title, verdict }: CheckedRule): string {
	const line = `  ${WORDS[verdict.kind]}  ${about}: ${title}`;
	return verdict.kind === "passed"
		? line
		: `${line}\n               ${verdict.why.replaceAll("\n", "\n               ")}`;
}

export function summaryOf(checked: readonly CheckedRule[]): string {
	return SOURCES.map((source) => {
		const count = (kind: Verdict["kind"]): number =>
			checked.filter((each) => each.source === source && each.verdict.kind === kind).length;
		return `${source}: ${count("passed")} passed, ${count("failed")} failed, ${count("noted")} noted, ${count("notOffered")} not offered`;
	}).join("\n");
}

/** Rules beyond the specification count only for services that should behave like the studio. */
export function conforms(
	checked: readonly CheckedRule[],
	{ choicesCount }: { readonly choicesCount: boolean },
): boolean {
	return !checked.some((each) => counted(each, { choicesCount }).verdict.kind === "failed");
}
