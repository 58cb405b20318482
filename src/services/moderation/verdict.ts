/** Verdicts of moderation services, and the decision of a server's rules about them. Pure. */

/** The categories for which a server sets rules. `other`: every category of a service that is none of the rest. */
export const CATEGORIES = ["sexual", "violence", "selfHarm", "other"] as const;
export type Category = (typeof CATEGORIES)[number];

export const CATEGORY_NAME_KEYS = {
	sexual: "category.sexual",
	violence: "category.violence",
	selfHarm: "category.selfHarm",
	other: "category.other",
} as const satisfies Record<Category, string>;

export const CATEGORY_RULES = ["refuse", "spoiler", "ageRestricted"] as const;
export type CategoryRules = Readonly<Record<Category, (typeof CATEGORY_RULES)[number]>>;

export type Verdict =
	| { readonly kind: "allowed" }
	/** The server's rules decide. */
	| { readonly kind: "flagged"; readonly categories: readonly Category[]; readonly reason?: string }
	/** The service names no category: no rule allows it. */
	| { readonly kind: "refused"; readonly reason?: string }
	/** Sexual content with minors: shown to no one, whatever the rules. */
	| { readonly kind: "illegal" };

/** `unchecked`: the service did not respond. */
export type WithholdCause = "flagged" | "ageRestricted" | "unchecked" | "illegal";

/** The decision about content in one channel. */
export type Ruling =
	| { readonly kind: "show"; readonly isSpoiler: boolean; readonly isAgeRestricted: boolean }
	| { readonly kind: "withhold"; readonly cause: WithholdCause; readonly categories: readonly Category[] };

export const SHOWN: Ruling = { kind: "show", isSpoiler: false, isAgeRestricted: false };

const MINORS = new Set(["minors", "sexual/minors"]);
/** By the first part of a service's category, such as `self-harm` in `self-harm/intent`. */
const CATEGORY_OF: ReadonlyMap<string, Category> = new Map([
	["sexual", "sexual"],
	["violence", "violence"],
	["self-harm", "selfHarm"],
	["selfHarm", "selfHarm"],
]);

/** `names`: the categories that a service flagged, by its own names. */
export function verdictOn(names: readonly string[], reason?: string): Verdict {
	if (names.some((name) => MINORS.has(name))) return { kind: "illegal" };
	const categories = names.map((name) => CATEGORY_OF.get(name.split("/")[0] ?? "") ?? "other");
	if (categories.length === 0) return { kind: "allowed" };
	return { kind: "flagged", categories: [...new Set(categories)], ...(reason !== undefined && { reason }) };
}

/** Joins the verdicts on several files: the strictest counts. */
export function joinVerdicts(verdicts: readonly Verdict[]): Verdict {
	const strictest = verdicts.find(({ kind }) => kind === "illegal") ?? verdicts.find(({ kind }) => kind === "refused");
	if (strictest) return strictest;
	const categories = verdicts.flatMap((verdict) => (verdict.kind === "flagged" ? verdict.categories : []));
	return categories.length === 0 ? { kind: "allowed" } : { kind: "flagged", categories: [...new Set(categories)] };
}

/** `isChannelAgeRestricted` is asked only if a rule depends on it. */
export async function ruleOn(
	verdict: Verdict,
	rules: CategoryRules,
	isChannelAgeRestricted: () => Promise<boolean>,
): Promise<Ruling> {
	switch (verdict.kind) {
		case "allowed":
			return SHOWN;
		case "illegal":
			return { kind: "withhold", cause: "illegal", categories: [] };
		case "refused":
			return { kind: "withhold", cause: "flagged", categories: [] };
		case "flagged": {
			const { categories } = verdict;
			const applied = new Set(categories.map((category) => rules[category]));
			if (applied.has("refuse")) return { kind: "withhold", cause: "flagged", categories };
			const isAgeRestricted = applied.has("ageRestricted");
			if (isAgeRestricted && !(await isChannelAgeRestricted()))
				return { kind: "withhold", cause: "ageRestricted", categories };
			return { kind: "show", isSpoiler: applied.has("spoiler"), isAgeRestricted };
		}
	}
}
