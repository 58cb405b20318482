/** Parses the limits that readers type. Pure. */
import { LIMIT_CREDITS_MAX } from "../../src/limits.ts";

const PLAIN = /^\d+$/;
/** Groups of three digits, with the separators of all languages. */
const GROUPED = /^\d{1,3}(?:[.,'’\s]\d{3})+$/;

/** Returns `null` for an empty text, which means no limit, and `undefined` for a text that is no limit. */
export function parseLimit(text: string): number | null | undefined {
	const trimmed = text.trim();
	if (trimmed === "") return null;
	if (!PLAIN.test(trimmed) && !GROUPED.test(trimmed)) return undefined;
	const value = Number(trimmed.replaceAll(/\D/g, ""));
	return value <= LIMIT_CREDITS_MAX ? value : undefined;
}
