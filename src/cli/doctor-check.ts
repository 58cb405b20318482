/** Results of the doctor's checks, their output, and the clock check. */
import type { Clock } from "@atelier/common/clock";
import { USER_AGENT } from "@atelier/common/user-agent";

/** `note` informs, `warn` may matter, `fix` prevents the bot from working. */
type Grade = "ok" | "note" | "warn" | "fix";

export interface CheckResult {
	readonly grade: Grade;
	readonly text: string;
	/** Parsed fields, one per line. */
	readonly details?: readonly string[];
	readonly advice?: string;
}

/** Ends a check with a result. */
export class CheckFailedError extends Error {
	override readonly name = "CheckFailedError";
	readonly result: CheckResult;

	constructor(result: CheckResult, options?: ErrorOptions) {
		super(result.text, options);
		this.result = result;
	}
}

/** Yields the results of a check, and that of its failure with these changes. */
export async function* resultsOf(
	check: AsyncIterable<CheckResult>,
	changes: Partial<CheckResult> = {},
): AsyncGenerator<CheckResult> {
	try {
		yield* check;
	} catch (error) {
		if (!(error instanceof CheckFailedError)) throw error;
		yield { ...error.result, ...changes };
	}
}

export interface Check {
	readonly title: string;
	/** The cost of the check in words, for the output. */
	readonly cost: string;
	readonly run: () => AsyncIterable<CheckResult> | Iterable<CheckResult>;
}

/** Services supply parts of these texts: strip control characters before they reach the terminal. */
const CONTROL = /[\p{Cc}\p{Cf}]/gu;
const LINE_CHARS_MAX = 400;

export function formatCheckResult({ grade, text, details = [], advice }: CheckResult): readonly string[] {
	return [
		`  ${grade.padEnd(4)}  ${singleLine(text)}`,
		...details.map((detail) => `          ${singleLine(detail)}`),
		...(advice === undefined ? [] : [`        → ${singleLine(advice)}`]),
	];
}

function singleLine(text: string): string {
	const line = text.replaceAll(CONTROL, " ");
	return line.length > LINE_CHARS_MAX ? `${line.slice(0, LINE_CHARS_MAX)}…` : line;
}

/** An HTTP date has whole seconds. */
const DATE_ROUNDING_MS = 1_000;
/** The differences of the clocks from which the check warns, and from which it demands a fix. */
const DIFFERENCE_WARN_MS = 2_000;
const DIFFERENCE_FIX_MS = 10_000;
const REQUEST_TIMEOUT_MS = 5_000;

interface RemoteTime {
	/** The name of the clock's owner, such as "Discord's". */
	readonly clockOwner: string;
	readonly remoteTimeMs: number;
	readonly askedAtMs: number;
	readonly answeredAtMs: number;
}

/** Compares this machine's clock with a remote time. */
export function clockResult({ clockOwner, remoteTimeMs, askedAtMs, answeredAtMs }: RemoteTime): CheckResult {
	// The remote clock was read between the request and the response, so the time between them is no difference.
	const aheadMs = Math.max(0, askedAtMs - remoteTimeMs - DATE_ROUNDING_MS);
	const behindMs = Math.max(0, remoteTimeMs - answeredAtMs);
	const differenceMs = Math.max(aheadMs, behindMs);
	if (differenceMs < DIFFERENCE_WARN_MS) return { grade: "ok", text: `this machine's clock agrees with ${clockOwner}` };
	const side = aheadMs > behindMs ? "ahead of" : "behind";
	return {
		grade: differenceMs < DIFFERENCE_FIX_MS ? "warn" : "fix",
		text: `this machine's clock is ${Math.round(differenceMs / 1000)} seconds ${side} ${clockOwner}`,
		advice: "Enable time synchronization (timedatectl set-ntp true) on both machines.",
	};
}

/** Reads the Date header of a response. Yields no result without one: other checks report unreachable hosts. */
export async function* checkClock(clockOwner: string, url: string, clock: Clock): AsyncGenerator<CheckResult> {
	const askedAtMs = clock.nowMs();
	const response = await fetch(url, {
		method: "HEAD",
		redirect: "manual",
		headers: { "user-agent": USER_AGENT },
		signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
	}).catch(() => undefined);
	const remoteTimeMs = Date.parse(response?.headers.get("date") ?? "");
	if (!Number.isNaN(remoteTimeMs))
		yield clockResult({ clockOwner, remoteTimeMs, askedAtMs, answeredAtMs: clock.nowMs() });
}
