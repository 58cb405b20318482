/** Verdicts of moderation services, and the rules by which a server decides about flagged content. No I/O. */
import type { CATEGORIES, CATEGORY_RULE_VALUES } from "@atelier/dashboard/server-settings";

export type Category = (typeof CATEGORIES)[number];

/** The rule of a server for each category. */
export type CategoryRules = Readonly<Record<Category, (typeof CATEGORY_RULE_VALUES)[number]>>;

/** The response of a moderation service, before the rules of a server apply. */
export type Verdict =
	| { readonly kind: "allowed" }
	/** The service named categories: the server's rules decide. */
	| { readonly kind: "flagged"; readonly categories: readonly Category[]; readonly reason?: string }
	/** The service rejected the content without a category, so no rule can allow it. */
	| { readonly kind: "rejected"; readonly reason?: string }
	/** Sexual content with minors: withheld under any rules, and from moderators too. */
	| { readonly kind: "illegal" };

/** `flagged`: by a rule `withhold`, or rejected by the service. `ageRestricted`: by that rule. `unchecked`: the service did not respond. */
export type WithholdCause = "flagged" | "ageRestricted" | "unchecked" | "illegal";

/** The decision about content in one channel. */
export type Ruling =
	| { readonly kind: "show"; readonly isSpoiler: boolean }
	| { readonly kind: "withhold"; readonly cause: WithholdCause; readonly categories: readonly Category[] };

export const SHOW: Ruling = { kind: "show", isSpoiler: false };

const MINORS_NAMES = new Set(["minors", "sexual/minors"]);
/** By the first part of a service's category, such as `self-harm` in `self-harm/intent`. */
const CATEGORY_BY_NAME: ReadonlyMap<string, Category> = new Map([
	["sexual", "sexual"],
	["violence", "violence"],
	["self-harm", "selfHarm"],
	["selfHarm", "selfHarm"],
]);

/** Returns the verdict for the categories that a service flagged, under the service's names. */
export function verdictFor(flaggedNames: readonly string[], reason?: string): Verdict {
	if (flaggedNames.some((name) => MINORS_NAMES.has(name))) return { kind: "illegal" };
	const categories = flaggedNames.map((name) => CATEGORY_BY_NAME.get(name.split("/")[0] ?? "") ?? "other");
	if (categories.length === 0) return { kind: "allowed" };
	return { kind: "flagged", categories: [...new Set(categories)], ...(reason !== undefined && { reason }) };
}

/** Joins the verdicts on several files: `illegal` before `rejected` before `flagged`, whose categories are united. */
export function joinVerdicts(verdicts: readonly Verdict[]): Verdict {
	const strictest = verdicts.find(({ kind }) => kind === "illegal") ?? verdicts.find(({ kind }) => kind === "rejected");
	if (strictest) return strictest;
	const categories = verdicts.flatMap((verdict) => (verdict.kind === "flagged" ? verdict.categories : []));
	return categories.length === 0 ? { kind: "allowed" } : { kind: "flagged", categories: [...new Set(categories)] };
}

/** Applies a server's rules to a verdict. Calls `isChannelAgeRestricted` only if a rule depends on it. */
export async function applyRules(
	verdict: Verdict,
	rules: CategoryRules,
	isChannelAgeRestricted: () => Promise<boolean>,
): Promise<Ruling> {
	switch (verdict.kind) {
		case "allowed":
			return SHOW;
		case "illegal":
			return { kind: "withhold", cause: "illegal", categories: [] };
		case "rejected":
			return { kind: "withhold", cause: "flagged", categories: [] };
		case "flagged": {
			const { categories } = verdict;
			const appliedRules = new Set(categories.map((category) => rules[category]));
			if (appliedRules.has("withhold")) return { kind: "withhold", cause: "flagged", categories };
			if (appliedRules.has("ageRestricted") && !(await isChannelAgeRestricted()))
				return { kind: "withhold", cause: "ageRestricted", categories };
			return { kind: "show", isSpoiler: appliedRules.has("spoiler") };
		}
	}
}
