/** `unchecked`: refused before anybody looked at what it says, or of a route that is not here. */
type Verdict = "valid" | "invalid" | "unchecked";

export interface RequestRecord {
	/** Counts from one. */
	readonly id: number;
	readonly atMs: number;
	readonly method: string;
	/** Without the tokens that stood in it. */
	readonly path: string;
	/** 0: hung up. */
	readonly status: number;
	readonly verdict: Verdict;
	/** What was wrong with it, each in a line. */
	readonly faults: readonly string[];
	/** Whether its answer was planted. */
	readonly isPlanted: boolean;
	/** What the client calls itself. */
	readonly client: string;
}

export type VerdictCounts = { readonly [verdict in Verdict]: number };
