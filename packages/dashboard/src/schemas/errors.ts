/** The responses to rejected and failed requests. */
import { z } from "zod";

/** The codes of errors, with the status of their responses. */
export const ERROR_STATUS = {
	invalid: 400,
	logged_out: 401,
	invalid_key: 401,
	forbidden: 403,
	forged: 403,
	not_found: 404,
	conflict: 409,
	denied: 422,
	too_many: 429,
	outcome_unknown: 500,
	unexpected: 500,
	unavailable: 503,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

export const ErrorBody = z.object({
	error: z.object({
		code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
		/** In the reader's language. */
		message: z.string(),
		/** The paths of the settings that a change was denied for, such as `showcase.channelId`. */
		settings: z.array(z.string()).optional(),
		/** The invalid parts of the request, in English, for the authors of programs. */
		problems: z.array(z.string()).optional(),
	}),
});
