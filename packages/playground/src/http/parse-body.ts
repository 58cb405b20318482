import { z } from "zod";
import { PageRefusalError } from "./refusal.ts";

/** A request's body by its schema; what is wrong is said in words. */
export function bodyOf<Body>(schema: z.ZodType<Body>, body: unknown): Body {
	const parsed = schema.safeParse(body);
	if (!parsed.success)
		throw new PageRefusalError(400, `This request cannot be read:\n${z.prettifyError(parsed.error)}`);
	return parsed.data;
}
