/** Errors and bodies of the page API and the admin API. */
import { z } from "zod";

export const WRONG_HOST = "The playground doesn't answer under this host name. Open it at the printed address.";

/** A rejected request of the page API, with a message for the page. */
export class PageApiError extends Error {
	override readonly name = "PageApiError";
	readonly status: number;

	constructor(status: number, message: string, options?: ErrorOptions) {
		super(message, options);
		this.status = status;
	}
}

/** Parses the body of a request by its schema; the error explains all problems. */
export function parseBody<Body>(schema: z.ZodType<Body>, body: unknown): Body {
	const parsed = schema.safeParse(body);
	if (!parsed.success) throw new PageApiError(400, `Invalid request:\n${z.prettifyError(parsed.error)}`);
	return parsed.data;
}
