/** Logs every REST request with its verdict by Discord's schema, for the admin panel and for tests. */
import { channel } from "node:diagnostics_channel";
import type { RequestRecord, VerdictCounts } from "./request-record.ts";

const KEPT_MAX = 500;
const FAULTS_MAX = 20;

export interface RequestLog {
	readonly note: (record: Omit<RequestRecord, "id">) => void;
	/** The newest requests after this id, oldest first. */
	readonly after: (id: number) => readonly RequestRecord[];
	/** Counts since the start. */
	readonly counts: () => VerdictCounts;
}

/** The diagnostics channel of every request. */
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
