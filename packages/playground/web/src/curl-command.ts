/** A request of the bot as a curl command. Secrets are variables of the shell. */
import type { RequestRecord } from "./contract.ts";

type CurlRequest = Pick<RequestRecord, "method" | "path" | "authorization" | "reason" | "isForm" | "files" | "request">;

export function curlCommand(record: CurlRequest, origin: string): string {
	const { method, path } = record;
	const url = doubleQuoted(`${origin}/api/v10${path}`).replace("…", "$TOKEN");
	return [`curl -X ${method} ${url}`, ...credentials(record), ...reason(record), ...body(record)].join(" \\\n  ");
}

function credentials({ authorization }: CurlRequest): string[] {
	switch (authorization) {
		case "Bot":
			return ['-H "Authorization: Bot $BOT_TOKEN"'];
		case "Bearer":
			return ['-H "Authorization: Bearer $ACCESS_TOKEN"'];
		case "Basic":
			return ['-u "$CLIENT_ID:$CLIENT_SECRET"'];
		default:
			return [];
	}
}

/** Headers have no Unicode. */
function reason({ reason: text }: CurlRequest): string[] {
	return text === null ? [] : [`-H ${singleQuoted(`X-Audit-Log-Reason: ${encodeURIComponent(text)}`)}`];
}

function body({ request, files, isForm }: CurlRequest): string[] {
	if (!request) return [];
	// A cut body cannot be repeated from the log.
	const json = "json" in request ? JSON.stringify(request.json) : undefined;
	if (files.length > 0) {
		const payload = singleQuoted(json === undefined ? "payload_json=<body.json" : `payload_json=${json}`);
		const parts = files.map(({ field, name }) => `-F ${singleQuoted(`${field}=@${name}`)}`);
		return [`${json === undefined ? "-F" : "--form-string"} ${payload}`, ...parts];
	}
	if (isForm && "json" in request) {
		const fields = Object.entries(request.json as { readonly [name: string]: unknown });
		return fields.map(([name, value]) => `--data-urlencode ${singleQuoted(`${name}=${String(value)}`)}`);
	}
	return [
		"-H 'Content-Type: application/json'",
		json === undefined ? "-d @body.json" : `--data-raw ${singleQuoted(json)}`,
	];
}

function singleQuoted(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}

function doubleQuoted(text: string): string {
	return `"${text.replaceAll(/["\\$`]/g, "\\$&")}"`;
}
