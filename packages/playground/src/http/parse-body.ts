import { z } from "zod";
import { PageApiError } from "./refusal.ts";

/** Parses the body of a request by its schema; the error explains all problems. */
export function parseBody<Body>(schema: z.ZodType<Body>, body: unknown): Body {
	const parsed = schema.safeParse(body);
	if (!parsed.success) throw new PageApiError(400, `Invalid request:\n${z.prettifyError(parsed.error)}`);
	return parsed.data;
}
