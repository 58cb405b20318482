import type { Service } from "./service.ts";

/**
 * The origin of a rule. `specification`: stated by the specification, for every service of the family. `document`:
 * promised by the service's own OpenAPI document.
 */
export const SOURCES = ["specification", "document"] as const;
export type Source = (typeof SOURCES)[number];

export interface Rule {
	readonly source: Source;
	/** The part of the specification, or the operation. */
	readonly about: string;
	readonly title: string;
	/**
	 * Throws an assertion error if the rule is violated, `NotOfferedError` if it cannot be checked, and `LeftOpenError`
	 * for a note.
	 */
	readonly check: (service: Service) => Promise<void>;
}

export type Verdict =
	| { readonly kind: "passed" }
	| { readonly kind: "failed"; readonly why: string }
	/** The service behaves differently, and the specification leaves that open. */
	| { readonly kind: "noted"; readonly why: string }
	| { readonly kind: "notOffered"; readonly why: string };

export interface CheckedRule extends Omit<Rule, "check"> {
	readonly verdict: Verdict;
}
