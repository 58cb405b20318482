/** Logs every REST request with its verdict by Discord's schema, and the packets of the gateway, for the page and for tests. */
import { channel } from "node:diagnostics_channel";
import type {
	GatewayRecord,
	LoggedBody,
	LogQuery,
	LogRecord,
	RequestRecord,
	VerdictCounts,
} from "../admin/admin-contract.ts";
import { parseJson } from "../simulator/discord-formats.ts";

/** The most records of a response. Up to twice as many are kept of each kind. */
const RECORDS_MAX = 500;
const ERRORS_MAX = 20;
const LOGGED_CHARS_MAX = 16 * 1024;
const REDACTED = "[redacted]";
const SECRET_FIELDS = /"(token|access_token|refresh_token|client_secret|code_verifier)":"[^"]*"/g;
/** The address of a webhook ends in its token. */
const WEBHOOK_URL = /(\/webhooks\/\d+\/)[\w-]+/g;
/** `code` is secret in a token request only: elsewhere it is the code of an error. */
const OAUTH2_FIELDS = /"(code)":"[^"]*"/g;

/** The diagnostics channel of every request. */
export const REQUESTS_CHANNEL = "playground:request";

export type RequestLog = ReturnType<typeof createRequestLog>;

/** `secrets` are removed from every body. */
export function createRequestLog(secrets: readonly string[]) {
	const published = channel(REQUESTS_CHANNEL);
	const requests: RequestRecord[] = [];
	const packets: GatewayRecord[] = [];
	const counts = { valid: 0, invalid: 0, unchecked: 0 };
	let lastId = 0;

	/** Returns a body as JSON, or as text if it is cut or is no JSON. */
	function logged(json: string, { isOAuth2 = false } = {}): LoggedBody {
		const withoutFields = json.replace(SECRET_FIELDS, `"$1":"${REDACTED}"`).replace(WEBHOOK_URL, `$1${REDACTED}`);
		const redacted = isOAuth2 ? withoutFields.replace(OAUTH2_FIELDS, `"$1":"${REDACTED}"`) : withoutFields;
		const text = secrets.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), redacted);
		const bytes = Buffer.byteLength(json);
		if (text.length > LOGGED_CHARS_MAX) return { text: text.slice(0, LOGGED_CHARS_MAX), bytes };
		try {
			return { json: parseJson(text), bytes };
		} catch {
			// An injected body may have any type.
			return { text, bytes };
		}
	}

	return {
		/** Bodies are JSON texts; `undefined` without a body. */
		addRequest(
			given: Omit<RequestRecord, "id" | "kind" | "request" | "response">,
			{ request, response }: { readonly request: string | undefined; readonly response: string | undefined },
		): void {
			const summary = { ...given, errors: given.errors.slice(0, ERRORS_MAX) };
			const isOAuth2 = given.path.startsWith("/oauth2/");
			counts[summary.verdict]++;
			keep(requests, {
				id: ++lastId,
				kind: "request",
				...summary,
				...(request !== undefined && { request: logged(request, { isOAuth2 }) }),
				...(response !== undefined && { response: logged(response, { isOAuth2 }) }),
			});
			published.publish(summary);
		},
		/** `json` is the data of the packet. */
		addPacket: (packet: Omit<GatewayRecord, "id" | "body">, json: string): void =>
			keep(packets, { id: ++lastId, ...packet, body: logged(json) }),
		/** The newest records that match, oldest first. */
		find: (query: LogQuery): readonly LogRecord[] =>
			[...requests, ...packets]
				.filter((record) => matches(record, query))
				.toSorted((a, b) => a.id - b.id)
				.slice(-RECORDS_MAX),
		/** Counts since the start. */
		counts: (): VerdictCounts => ({ ...counts }),
	};
}

function keep<Kept>(list: Kept[], record: Kept): void {
	list.push(record);
	if (list.length > 2 * RECORDS_MAX) list.splice(0, RECORDS_MAX);
}

/** A filter for a field that the record does not have excludes it. */
function matches(record: LogRecord, { after = 0, ...filters }: LogQuery): boolean {
	const fields = new Map<string, unknown>(Object.entries(record));
	return (
		record.id > after &&
		Object.entries(filters).every(([name, wanted]) => wanted === undefined || fields.get(name) === wanted)
	);
}
