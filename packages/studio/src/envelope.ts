import type { ApiError, FieldFault } from "./errors.ts";

/** The envelope of every response. `code` and `data` are the specification's; the rest is our choice. */
export interface Envelope {
	readonly code: number;
	readonly message: string;
	readonly requestId: string;
	readonly data: object | null;
	readonly details?: readonly FieldFault[];
}

export function newRequestId(randomBytes: (size: number) => Uint8Array): string {
	return `req_${Buffer.from(randomBytes(12)).toString("hex")}`;
}

export function okEnvelope(requestId: string, data: object): Envelope {
	return { code: 0, message: "ok", requestId, data };
}

export function errorEnvelope(requestId: string, error: ApiError): Envelope {
	const details = error.details.length > 0 ? { details: error.details } : {};
	return { code: error.code, message: error.message, requestId, data: null, ...details };
}
