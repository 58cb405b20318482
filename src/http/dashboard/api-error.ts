/** A rejected request of the dashboard's API. Denials of the services are `UserError`s. */
import type { ErrorCode } from "@atelier/dashboard/schemas/errors";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";

export class ApiError extends Error {
	override readonly name = "ApiError";
	readonly code: ErrorCode;
	readonly messageDescriptor: MessageDescriptor;
	/** The invalid parts of the request, in English. */
	readonly problems: readonly string[] | undefined;

	constructor(
		code: ErrorCode,
		messageDescriptor: MessageDescriptor,
		{ problems, ...options }: ErrorOptions & { readonly problems?: readonly string[] } = {},
	) {
		super(code, options);
		this.code = code;
		this.messageDescriptor = messageDescriptor;
		this.problems = problems;
	}
}
