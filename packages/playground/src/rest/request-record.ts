/** `unchecked`: rejected before validation, or an unknown route. */
type Verdict = "valid" | "invalid" | "unchecked";

export interface RequestRecord {
	/** Starts at 1. */
	readonly id: number;
	readonly atMs: number;
	readonly method: string;
	/** Without tokens. */
	readonly path: string;
	/** 0: the connection was closed. */
	readonly status: number;
	readonly verdict: Verdict;
	/** The problems, one per line. */
	readonly errors: readonly string[];
	/** Whether a fault was injected. */
	readonly isInjected: boolean;
	/** The User-Agent of the client. */
	readonly client: string;
}

export type VerdictCounts = { readonly [verdict in Verdict]: number };
