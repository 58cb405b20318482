/** HTTP status x 100 + n, so that the code shows its class. The scheme is our choice. */
export const CODES = {
	malformed: 40000,
	missingField: 40001,
	badMediaType: 40002,
	badScene: 40003,
	badModel: 40004,
	badOption: 40005,
	badParameter: 40006,
	badKey: 40100,
	keyOver: 40101,
	creditsShort: 40200,
	capReached: 40201,
	notAllowed: 40300,
	notFound: 40400,
	wrongMethod: 40500,
	stillOpen: 40901,
	linkExpired: 41000,
	tooLarge: 41300,
	wrongContentType: 41500,
	noSuchRange: 41600,
	keyReused: 42200,
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
export class ApiError extends Error {
	override readonly name = "ApiError";
	readonly code: ApiCode;
	readonly details: readonly FieldProblem[];
	readonly headers: Readonly<Record<string, string>>;

	constructor(
		code: ApiCode,
		message: string,
		more: { details?: readonly FieldProblem[]; headers?: Readonly<Record<string, string>> } = {},
	) {
		super(message);
		this.code = code;
		this.details = more.details ?? [];
		this.headers = more.headers ?? {};
	}

	get httpStatus(): number {
		return Math.floor(this.code / 100);
	}
}
