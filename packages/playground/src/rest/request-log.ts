/** Every request to REST with its verdict against Discord's schema: for people to look at, and for tests to count. */
import { channel } from "node:diagnostics_channel";
import type { RequestRecord, VerdictCounts } from "./request-record.ts";

const KEPT_MAX = 500;
const FAULTS_MAX = 20;

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
