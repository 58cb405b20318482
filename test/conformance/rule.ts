import type { Service } from "./service.ts";

/**
 * Whose rule it is. `specification`: a sentence of the specification states it, and every service of the family must hold it.
 * `document`: the service promises it in its own OpenAPI document. `choice`: the specification leaves it open, and this is how
 * the studio does it; another service may do otherwise.
 */
export const SOURCES = ["specification", "document", "choice"] as const;
export type Source = (typeof SOURCES)[number];

export interface Rule {
	readonly source: Source;
	/** The part of the specification, the operation, or the section of docs/studio-api.md. */
	readonly about: string;
	readonly title: string;
	/** Throws an assertion where the rule is broken, `NotOfferedError` where it cannot be asked, and `LeftOpenError` for a note. */
	readonly check: (service: Service) => Promise<void>;
}

export type Verdict =
	| { readonly kind: "passed" }
	| { readonly kind: "failed"; readonly why: string }
	/** The service does it otherwise than others, and the specification leaves it open. */
	| { readonly kind: "noted"; readonly why: string }
	| { readonly kind: "notOffered"; readonly why: string };

export interface Judged extends Omit<Rule, "check"> {
	readonly verdict: Verdict;
}
