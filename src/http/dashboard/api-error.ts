/** A rejected request of the dashboard's API. Denials of the services are `UserError`s. */
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";

const STATUS = {
	invalid: 400,
	logged_out: 401,
	invalid_key: 401,
	forbidden: 403,
	forged: 403,
	not_found: 404,
	conflict: 409,
	outcome_unknown: 500,
	unavailable: 503,
} as const;
type ApiErrorCode = keyof typeof STATUS;

export class ApiError extends Error {
	override readonly name = "ApiError";
	readonly code: ApiErrorCode;
	readonly messageDescriptor: MessageDescriptor;

	constructor(code: ApiErrorCode, messageDescriptor: MessageDescriptor, options?: ErrorOptions) {
		super(code, options);
		this.code = code;
		this.messageDescriptor = messageDescriptor;
	}

	get status(): number {
		return STATUS[this.code];
	}
}
