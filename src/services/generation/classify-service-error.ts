/**
 * Classifies an error of a media service for the member and the operator. No I/O. Media services share no error codes, so a known word
 * as the code is tried first, unless it only means an invalid request; then the words of code and reason, then any known code, then
 * the HTTP status.
 */
import { MODERATION_CODE } from "@atelier/media-protocol/parse-task";
import { redactReason } from "./redact-reason.ts";
import type { GenerationRequest } from "./request.ts";

export type ErrorMeaning =
	/** Moderation of the service rejected the prompt, an input or the result. */
	| "contentPolicy"
	/** The bot's account has no credits or quota left, or is locked. */
	| "operatorAccount"
	/** The bot's API key is missing, wrong, expired, revoked or lacks permission. */
	| "operatorKey"
	/** Too many requests for now: the same request may succeed later. */
	| "rateLimited"
	| "modelUnavailable"
	/** The service does not accept the request as it is. */
	| "invalidRequest"
	| "timeout"
	| "canceled"
	| "noOutput"
	| "unknown";

export interface ServiceError {
	/** The service's own code: a number, a word, or `HTTP 400`. */
	readonly code: string;
	readonly reason: string;
	/** Absent for a failed task, which has no status of its own. */
	readonly httpStatus?: number | undefined;
}

/**
 * Codes with the same meaning everywhere, in lower case with `_` between words. A number that contains an HTTP status, such as
 * `40201`, needs no entry.
 */
const MEANING_BY_CODE: Readonly<Record<string, ErrorMeaning>> = {
	[MODERATION_CODE]: "contentPolicy",
	"40004": "modelUnavailable",
	payment_required: "operatorAccount",
	arrearage: "operatorAccount",
	kudosupfront: "operatorAccount",
	datainspectionfailed: "contentPolicy",
	novalidworkers: "modelUnavailable",
	engine_unavailable: "modelUnavailable",
	invalid_input: "invalidRequest",
	invalid_request: "invalidRequest",
	invalid_request_error: "invalidRequest",
	invalid_parameter: "invalidRequest",
	timeout: "timeout",
	canceled: "canceled",
	cancelled: "canceled",
	no_output: "noOutput",
};

/**
 * Patterns of the words that services use, tried in this order: moderation often comes with 403, and missing credits with 429. They
 * match lower case, with spaces instead of underscores and hyphens.
 */
const MEANING_PATTERNS: readonly (readonly [ErrorMeaning, RegExp])[] = [
	[
		"contentPolicy",
		/\bmoderat(ed|ion|or)\b|(?<!case )\bsensitive(?! to)\b|sensitivecontent|\bnsfw\b|content (policy|filter|safety|violation|check)|(safety|usage|acceptable use|community|content) (system|checker|filter|polic(y|ies)|guidelines?|standards?|rules)|(violat\w*|against|breach\w*) .{0,40}(polic(y|ies)|guidelines?|terms)|(prohibited|forbidden|banned|inappropriate|unsafe|harmful|explicit|disallowed|illegal) (content|words?|terms?|prompt|image|input|material)(?! (format|size|type|parameter|url|dimension))|(prompt|content|image|input|output)s? (was|were|is|are|has been|have been|contains?|may contain)?\s?(flagged|blocked|inappropriate|unsafe|prohibited|harmful)|敏感|违规|审核/,
	],
	[
		"operatorAccount",
		/(insufficient|not enough|no (more|remaining)|out of|lack(s|ing)?( of)?|exhausted|exceeded|used up|negative)\b.{0,24}\b(credits?|balance|funds?|points|kudos)|\b(credits?|balance|funds|points|kudos)\b.{0,24}\b(insufficient|not enough|not sufficient|exhausted|depleted|used up|too low|is low|ran out|run out|is zero)|insufficient (account )?quota|quota .{0,16}(insufficient|not enough|exhausted|used up)|exceeded (your|the) (current |monthly |total )?quota|payment (is )?required|\b(top up|recharge|add (more )?(credits|funds))\b|billing|spend(ing)? (cap|limit)|(subscription|plan|trial) .{0,16}(expired|required|ended|inactive)|account .{0,24}(suspended|locked|disabled|deactivated|overdue|in arrears|frozen)|user is locked|余额不足|额度不足|积分不足|欠费/,
	],
	[
		"rateLimited",
		/rate ?limit|too many (requests|tasks|concurrent|jobs)|(call|request|access|api) frequency|frequency .{0,20}(high|limit|exceed)|(requests|calls) per (second|minute|hour|day)|concurren(t|cy) .{0,24}(limit|exceed|reach)|(queue is full|queue full)|(system|server|service) (is )?(busy|overloaded)|频率|请求过多/,
	],
	[
		"operatorKey",
		/(invalid|missing|incorrect|wrong|expired|revoked|disabled|unknown|bad|malformed|no|not a valid)\b( or (missing|invalid|expired))? (api ?keys?|access ?keys?|secret keys?|(access|auth\w*|bearer|api) ?tokens?|credentials?|signature|authorization)|(api ?key|access ?key|secret key|(access|auth\w*|bearer|api) ?token|credentials?)\b.{0,32}\b(invalid|missing|incorrect|wrong|expired|revoked|disabled|required|not found|not valid|does not exist|not provided|deleted)|^(invalid|expired|missing) (key|token)|\binvalidapikey\b|unauthori[sz]ed|unauthenticated|not authenticated|authentication|authorization|not authori[sz]ed|no auth\b|(please )?(sign|log) in\b|(permission|access) (is )?denied|no permission|insufficient permissions?|not permitted|ip .{0,24}(whitelist|allow ?list|not allowed)|无效的?令牌|未授权/,
	],
	[
		"modelUnavailable",
		/\bmodels?\b[^:,;]{0,60}\b(not found|not exist|unavailable|not available|offline|not supported|unsupported|deprecated|retired|disabled|unknown|not enabled)|(unknown|invalid|no such|unsupported|unavailable|missing) model\b|\bmodel (not found|unavailable)\b|no (available )?(channel|workers?|providers?|engines?)\b|模型不存在/,
	],
	["timeout", /^(task )?(timeout|timed out)\b/],
	["noOutput", /^no (output|result|file)s?\b/],
];

const MEANING_BY_STATUS: Readonly<Record<number, ErrorMeaning>> = {
	400: "invalidRequest",
	401: "operatorKey",
	402: "operatorAccount",
	403: "operatorKey",
	413: "invalidRequest",
	415: "invalidRequest",
	422: "invalidRequest",
	429: "rateLimited",
	451: "contentPolicy",
};

/** Returns what an error means; `unknown` if nothing in it is known. */
export function classifyError({ code, reason, httpStatus }: ServiceError): ErrorMeaning {
	const word = code.trim().toLowerCase();
	const isNumber = /^(http )?-?\d+$/.test(word);
	const byCode = MEANING_BY_CODE[word.replaceAll(/[\s-]+/g, "_")];
	// Moderation and missing credits also come with 403, 429 and `invalid_request_error`: the words decide.
	if (byCode && !isNumber && byCode !== "invalidRequest") return byCode;
	return (
		(isNumber ? undefined : meaningOfWords(code)) ??
		meaningOfWords(reason) ??
		byCode ??
		MEANING_BY_STATUS[statusIn(word)] ??
		MEANING_BY_STATUS[httpStatus ?? 0] ??
		"unknown"
	);
}

export interface ClassifiedFailure {
	readonly meaning: ErrorMeaning;
	/** For logs, the store and members. */
	readonly details: Pick<ServiceError, "code" | "reason">;
}

/** Removes the prompt before the text is classified, so that a prompt cannot imitate an error. */
export function classifyFailure(
	{ code, reason, httpStatus }: ServiceError,
	request: Pick<GenerationRequest, "prompt" | "options">,
): ClassifiedFailure {
	const details = { code: redactReason(code, request), reason: redactReason(reason, request) };
	return { meaning: classifyError({ ...details, httpStatus }), details };
}

/** Reads the HTTP status from a code such as `429`, `HTTP 429` or `42901`; `NaN` if there is none. */
function statusIn(code: string): number {
	return Number(/^(?:http )?(\d{3})(?:\d\d)?$/.exec(code)?.[1]);
}

/** Returns the meaning of the words of a text, written as `camelCase`, `snake_case` or a sentence. */
function meaningOfWords(text: string): ErrorMeaning | undefined {
	const words = text
		.replaceAll(/([a-z])([A-Z])/g, "$1 $2")
		.toLowerCase()
		.replaceAll(/[\s_-]+/g, " ");
	return MEANING_PATTERNS.find(([, pattern]) => pattern.test(words))?.[0];
}
