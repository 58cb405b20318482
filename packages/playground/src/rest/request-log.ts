/** Logs every REST request with its verdict by Discord's schema, and the packets of the gateway, for the page and for tests. */
import { channel } from "node:diagnostics_channel";
import type { GatewayRecord, LogQuery, LogRecord, RequestRecord, VerdictCounts } from "../admin/admin-contract.ts";
import { type BodyText, createBodyReader, toLoggedBody } from "./logged-body.ts";

/** The most records of a response. Up to twice as many are kept of each kind. */
const RECORDS_MAX = 500;
const ERRORS_MAX = 20;

/** The diagnostics channel of every request. */
export const REQUESTS_CHANNEL = "playground:request";

export type RequestLog = ReturnType<typeof createRequestLog>;

type RequestSummary = Omit<RequestRecord, "id" | "kind" | "request" | "response">;
type GatewaySummary = Omit<GatewayRecord, "id" | "body">;

/** A record whose bodies are still text: most are never read. */
interface Stored<Summary> {
	readonly id: number;
	readonly summary: Summary;
	readonly bodies: { readonly [name: string]: BodyText };
}

/** `secrets` are removed from every body. */
export function createRequestLog(secrets: readonly string[]) {
	const published = channel(REQUESTS_CHANNEL);
	const readBody = createBodyReader(secrets);
	const requests: Stored<RequestSummary>[] = [];
	const packets: Stored<GatewaySummary>[] = [];
	const counts = { valid: 0, invalid: 0, unchecked: 0 };
	let lastId = 0;

	function keep<Summary>(list: Stored<Summary>[], summary: Summary, bodies: Stored<Summary>["bodies"]): void {
		list.push({ id: ++lastId, summary, bodies });
		if (list.length > 2 * RECORDS_MAX) list.splice(0, RECORDS_MAX);
	}

	return {
		/** Bodies are JSON texts; `undefined` without a body. */
		addRequest(
			given: RequestSummary,
			{ request, response }: { readonly request: string | undefined; readonly response: string | undefined },
		): void {
			const summary = { ...given, errors: given.errors.slice(0, ERRORS_MAX) };
			const isOAuth2 = given.path.startsWith("/oauth2/");
			counts[summary.verdict]++;
			keep(requests, summary, {
				...(request !== undefined && { request: readBody(request, { isOAuth2 }) }),
				...(response !== undefined && { response: readBody(response, { isOAuth2 }) }),
			});
			published.publish(summary);
		},
		/** `json` is the data of the packet. */
		addPacket: (summary: GatewaySummary, json: string): void => keep(packets, summary, { body: readBody(json) }),
		/** The newest records that match, oldest first. */
		find(query: LogQuery): readonly LogRecord[] {
			const { after = 0 } = query;
			const found = [
				...requests.filter((each) => each.id > after && matchesRequest(each.summary, query)).map(toRequest),
				...packets.filter((each) => each.id > after && matchesPacket(each.summary, query)).map(toPacket),
			];
			return found.toSorted((a, b) => a.id - b.id).slice(-RECORDS_MAX);
		},
		/** Counts since the start. */
		counts: (): VerdictCounts => ({ ...counts }),
	};
}

function matchesRequest(request: RequestSummary, { kind, route, event, verdict, status }: LogQuery): boolean {
	return (
		(kind ?? "request") === "request" &&
		event === undefined &&
		(route ?? request.route) === request.route &&
		(verdict ?? request.verdict) === request.verdict &&
		(status ?? request.status) === request.status
	);
}

function matchesPacket(packet: GatewaySummary, { kind, route, event, verdict, status }: LogQuery): boolean {
	return (
		(kind ?? packet.kind) === packet.kind &&
		(event ?? packet.event) === packet.event &&
		route === undefined &&
		verdict === undefined &&
		status === undefined
	);
}

function toRequest({ id, summary, bodies }: Stored<RequestSummary>): RequestRecord {
	const { request, response } = bodies;
	return {
		id,
		kind: "request",
		...summary,
		...(request && { request: toLoggedBody(request) }),
		...(response && { response: toLoggedBody(response) }),
	};
}

function toPacket({ id, summary, bodies: { body } }: Stored<GatewaySummary>): GatewayRecord {
	return { id, ...summary, ...(body && { body: toLoggedBody(body) }) };
}
