/** Calls the API by the table of its routes. Validates every response. */
import { z } from "zod";
import { endpoints, type Endpoint, type EndpointName, type ResponseOf } from "../../src/contract.ts";
import { ErrorBody } from "../../src/schemas/errors.ts";
import { Messages } from "../../src/schemas/session.ts";
import { addressOf, MESSAGES_ADDRESS, type Input, type InputOf } from "./api-addresses.ts";
import { ApiError } from "./api-error.ts";

const TIMEOUT_MS = 20_000;
/** A check may wait for a service that hangs. */
const CHECKS_TIMEOUT_MS = 60_000;

/** The routes with a JSON response. Streams and files are opened by their address. */
type CallName = {
	[Name in EndpointName]: (typeof endpoints)[Name]["response"] extends z.ZodType ? Name : never;
}[EndpointName];
export type Call = <Name extends CallName>(name: Name, ...input: InputOf<Name>) => Promise<ResponseOf<Name>>;

export interface ApiDeps {
	readonly fetch: typeof globalThis.fetch;
	/** The token of the session; empty before it is known. */
	readonly csrfToken: () => string;
	/** Runs when the bot responds that the session has ended. */
	readonly onLoggedOut: () => void;
	/** Reads the session again after the bot refused the token. Resolves to false if another user has logged in. */
	readonly renewSession: () => Promise<boolean>;
}

export function createCall({ fetch, csrfToken, onLoggedOut, renewSession }: ApiDeps): Call {
	const send: Call = async (name, ...input) => {
		const endpoint: Endpoint = endpoints[name];
		const { body } = (input[0] ?? {}) as Input;
		const headers = {
			...(body !== undefined && { "content-type": "application/json" }),
			...(name !== "session" && csrfToken() !== "" && { "x-csrf-token": csrfToken() }),
		};
		const answer = await requestJson(fetch, addressOf(name, ...input), {
			method: endpoint.method,
			headers,
			...(name === "operatorChecks" && { signal: AbortSignal.timeout(CHECKS_TIMEOUT_MS) }),
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		return read(endpoint.response as z.ZodType, answer) as ResponseOf<typeof name>;
	};
	return async (name, ...input) => {
		try {
			return await send(name, ...input);
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			if (error.status === 401) onLoggedOut();
			// The reader logged in again in another tab.
			if (error.code === "forged" && (await renewSession())) return await send(name, ...input);
			throw error;
		}
	};
}

/** Reads the messages in the language of the session, or else of the browser. */
export async function readMessages(fetch: typeof globalThis.fetch): Promise<Messages> {
	return read(Messages, await requestJson(fetch, MESSAGES_ADDRESS, {}));
}

async function requestJson(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<unknown> {
	const { signal = AbortSignal.timeout(TIMEOUT_MS) } = init;
	const response = await fetch(url, { cache: "no-store", ...init, signal }).catch((cause) => {
		throw new ApiError(null, "no_answer", "", { cause });
	});
	const answer: unknown = await response.json().catch(() => null);
	if (response.ok) return answer;
	const { code = "invalid_answer", message = "", settings } = ErrorBody.safeParse(answer).data?.error ?? {};
	throw new ApiError(response.status, code, message, { settings });
}

function read<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.infer<Schema> {
	const { data, error } = schema.safeParse(answer);
	if (error) throw new ApiError(200, "invalid_answer", "", { cause: error });
	return data;
}
