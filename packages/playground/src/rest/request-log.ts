/** Logs every REST request with its verdict by Discord's schema, for the admin panel and for tests. */
import { channel } from "node:diagnostics_channel";
import type { RequestRecord, VerdictCounts } from "../admin/admin-contract.ts";

const RECORDS_MAX = 500;
const ERRORS_MAX = 20;

/** The diagnostics channel of every request. */
export const REQUESTS_CHANNEL = "playground:request";

export type RequestLog = ReturnType<typeof createRequestLog>;

export function createRequestLog() {
	const requests = channel(REQUESTS_CHANNEL);
	const records: RequestRecord[] = [];
	const counts = { valid: 0, invalid: 0, unchecked: 0 };
	let lastId = 0;
	return {
		add(given: Omit<RequestRecord, "id">): void {
			const record = { ...given, id: ++lastId, errors: given.errors.slice(0, ERRORS_MAX) };
			counts[record.verdict]++;
			records.push(record);
			if (records.length > 2 * RECORDS_MAX) records.splice(0, RECORDS_MAX);
			requests.publish(record);
		},
		/** The newest requests after this id, oldest first. */
		after: (id: number): readonly RequestRecord[] => records.filter((record) => record.id > id).slice(-RECORDS_MAX),
		/** Counts since the start. */
		counts: (): VerdictCounts => ({ ...counts }),
	};
}
