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
	readonly run: () => AsyncIterable<CheckResult> | Iterable<CheckResult>;
}
