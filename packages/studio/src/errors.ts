/** HTTP status x 100 + n, so that the code shows its class. The scheme is our choice. */
export const CODES = {
	malformed: 40000,
	missingField: 40001,
	invalidMediaType: 40002,
	invalidScene: 40003,
	invalidModel: 40004,
	invalidOption: 40005,
	invalidParameter: 40006,
	invalidKey: 40100,
	keyRevokedOrExpired: 40101,
	insufficientCredits: 40200,
	spendCapReached: 40201,
	forbidden: 40300,
	notFound: 40400,
	methodNotAllowed: 40500,
	uploadTimeout: 40800,
	linkExpired: 41000,
	tooLarge: 41300,
	unsupportedContentType: 41500,
	rangeNotSatisfiable: 41600,
	idempotencyKeyReused: 42200,
	tooManyRequests: 42900,
	tooManyOpenTasks: 42901,
	queueFull: 42902,
	tooManyStreams: 42903,
	internal: 50000,
	notReady: 50300,
} as const;

export type ApiCode = (typeof CODES)[keyof typeof CODES];

/** One invalid field of a request, with advice. */
export interface FieldProblem {
	readonly field: string;
	readonly message: string;
}

/** An expected error, as the client sees it. */
export class StudioApiError extends Error {
	override readonly name = "StudioApiError";
	readonly code: ApiCode;
	readonly details: readonly FieldProblem[];
	readonly headers: Readonly<Record<string, string>>;

	constructor(
		code: ApiCode,
		message: string,
		more: {
			details?: readonly FieldProblem[];
			headers?: Readonly<Record<string, string>>;
			/** The client may repeat the request after this many seconds. */
			retryAfterS?: number;
		} = {},
	) {
		super(message);
		this.code = code;
		this.details = more.details ?? [];
		const { headers = {}, retryAfterS } = more;
		this.headers = retryAfterS === undefined ? headers : { ...headers, "retry-after": String(retryAfterS) };
	}

	get httpStatus(): number {
		return Math.floor(this.code / 100);
	}
}
