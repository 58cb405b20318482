import { SOURCES, type CheckedRule, type Source, type Verdict } from "./rule.ts";

export const TITLES = {
	specification: "The specification",
	document: "The service's own OpenAPI document",
} as const satisfies Record<Source, string>;

const VERDICT_LABELS = {
	passed: "passed     ",
	failed: "FAILED     ",
	noted: "note       ",
	notOffered: "not offered",
} as const;

/** The number of tasks that the rules submit to a service like the studio. */
export const SUBMITTED_TASKS = 5;
/** The same for a service without a document that rejects nothing. */
export const SUBMITTED_TASKS_MAX = 9;

export function lineOf({ about, title, verdict }: CheckedRule): string {
	const line = `  ${VERDICT_LABELS[verdict.kind]}  ${about}: ${title}`;
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

export function conforms(checked: readonly CheckedRule[]): boolean {
	return !checked.some(({ verdict }) => verdict.kind === "failed");
}
