/** Bodies as the request log keeps them: without secrets, and cut if they are large. */
import type { LoggedBody } from "../admin/admin-contract.ts";
import { parseJson } from "../simulator/discord-formats.ts";

const LOGGED_CHARS_MAX = 16 * 1024;
const REDACTED = "[redacted]";
const SECRET_FIELDS = /"(token|access_token|refresh_token|client_secret|code_verifier)":"[^"]*"/g;
/** The address of a webhook ends in its token. */
const WEBHOOK_URL = /(\/webhooks\/\d+\/)[\w-]+/g;
/** `code` is secret in a token request only: elsewhere it is the code of an error. */
const OAUTH2_FIELDS = /"(code)":"[^"]*"/g;

/** Creates a function that returns a body as JSON, or as text if it is cut or is no JSON. Removes `secrets` wherever they occur. */
export function createBodyLogger(secrets: readonly string[]) {
	return (json: string, { isOAuth2 = false } = {}): LoggedBody => {
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
	};
}
