import { SOURCES, type Judged, type Source, type Verdict } from "./rule.ts";

const TITLES = {
	specification: "The specification",
	document: "The service's own OpenAPI document",
	choice: "Our choices: the specification leaves these open, and another service may do otherwise",
} as const satisfies Record<Source, string>;

const WORDS = { passed: "passed     ", failed: "FAILED     ", notOffered: "not offered" } as const;

export function titleOf(source: Source): string {
	return TITLES[source];
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
		return `${source}: ${count("passed")} passed, ${count("failed")} failed, ${count("notOffered")} not offered`;
	}).join("\n");
}

/** What the specification leaves open decides only where somebody wants a service that is like the studio. */
export function conforms(judged: readonly Judged[], { choicesCount }: { readonly choicesCount: boolean }): boolean {
	return !judged.some(({ source, verdict }) => verdict.kind === "failed" && (source !== "choice" || choicesCount));
}
