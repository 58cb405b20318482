/** Tells from a failed call whether the service may have acted, so that only a safe request is repeated. No I/O. */

/** Errors of the connection. */
const CONNECT_ERROR_CODES = new Set([
	"ECONNREFUSED",
	"ENOTFOUND",
	"EAI_AGAIN",
	"EHOSTUNREACH",
	"ENETUNREACH",
	"UND_ERR_CONNECT_TIMEOUT",
]);
const TLS_ERROR_CODE = /^(CERT|ERR_TLS|ERR_SSL)_|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/;
/** Rejections that leave the outcome open: a timeout, or an earlier request that is still being processed. */
const UNDECIDED_STATUSES = new Set([408, 409, 425]);
/**
 * Server errors after which the service cannot have acted. Those above 520 are Cloudflare's: it could not connect. 522 is not one of
 * them: Cloudflare also sends it if a connected server does not acknowledge the request. Nor is 501, which kie uses for a failed
 * generation.
 */
const REFUSED_STATUSES = new Set([503, 521, 523, 525, 526, 530]);
/** The statuses of a service that lacks an operation. */
export const NO_SUCH_OPERATION_STATUSES: ReadonlySet<number> = new Set([404, 405, 501]);

/** Returns whether a service that responded with this status, which is not a success, may have acted. */
export function mayHaveActed(status: number): boolean {
	return status >= 500 ? !REFUSED_STATUSES.has(status) : UNDECIDED_STATUSES.has(status);
}

/** Returns `false` if the connection or its TLS handshake failed, before any part of the request was sent. */
export function mayHaveBeenSent(error: unknown): boolean {
	// `fetch` wraps the error of the connection.
	const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined) ?? "";
	return !CONNECT_ERROR_CODES.has(code) && !TLS_ERROR_CODE.test(code);
}

function codeOf(error: unknown): string | undefined {
	return typeof error === "object" && error !== null && "code" in error ? String(error.code) : undefined;
}

/** Parses the header Retry-After, which is seconds or a date, to a delay in ms. */
export function parseRetryAfter(header: string, nowMs: number): number | undefined {
	const text = header.trim();
	if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * 1000;
	// Without letters, the text is a number that `Date` would take for a year.
	const dateMs = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
