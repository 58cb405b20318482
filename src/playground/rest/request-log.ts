/** Every request to REST with its verdict against Discord's schema: for people to look at, and for tests to count. */
import { channel } from "node:diagnostics_channel";

const KEPT_MAX = 500;
const FAULTS_MAX = 20;

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

export interface RequestLog {
	readonly note: (record: Omit<RequestRecord, "id">) => void;
	/** The newest of those after this id, oldest first. */
	readonly after: (id: number) => readonly RequestRecord[];
	/** Since the start. */
	readonly counts: () => VerdictCounts;
}

/** Whoever counts requests in this process listens here; nobody is told where nobody listens. */
export const REQUESTS_CHANNEL = "playground:request";

export function createRequestLog(): RequestLog {
	const told = channel(REQUESTS_CHANNEL);
	const records: RequestRecord[] = [];
	const counts = { valid: 0, invalid: 0, unchecked: 0 };
	let lastId = 0;
	return {
		note(given) {
			const record = { ...given, id: ++lastId, faults: given.faults.slice(0, FAULTS_MAX) };
			counts[record.verdict]++;
			records.push(record);
			if (records.length > 2 * KEPT_MAX) records.splice(0, KEPT_MAX);
			told.publish(record);
		},
		after: (id) => records.filter((record) => record.id > id).slice(-KEPT_MAX),
		counts: () => ({ ...counts }),
	};
}
