import type { Translate } from "./language.ts";

/** Returns why a typed text has too few or too many characters, or `undefined`. Spaces around it do not count. */
export function lengthProblem(t: Translate, text: string, min: number, max: number): string | undefined {
	const { length } = text.trim();
	return length >= min && length <= max ? undefined : t("dashboard.lengthInvalid", { min, max });
}
