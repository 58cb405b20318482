import { z } from "zod";
import type { ListedModels } from "./media-api.ts";
import { modelSchema } from "@atelier/media-protocol/model";
import { isObject } from "@atelier/media-protocol/parse-value";

/**
 * Parses the entries that are models, and counts the others: a service may list some that this version does not know. Returns
 * `undefined` without a list.
 */
export function parseModels(payload: unknown): ListedModels | undefined {
	const list = isObject(payload) ? payload["models"] : payload;
	if (!Array.isArray(list)) return undefined;
	const parsed = list.map((each) => modelSchema.safeParse(each));
	const errors = parsed.flatMap(({ error }) => error ?? []);
	return {
		models: parsed.flatMap(({ data }) => data ?? []),
		invalidCount: errors.length,
		firstReason: errors[0] && z.prettifyError(errors[0]),
	};
}
