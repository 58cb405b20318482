/** Calls the API by the table of its routes. Validates every response. */
import { z } from "zod";
import { endpoints, type Endpoint, type EndpointName, type ResponseOf } from "../../src/contract.ts";
import { ErrorBody } from "../../src/schemas/errors.ts";
import { Messages } from "../../src/schemas/session.ts";
import { addressOf, MESSAGES_ADDRESS, type Input, type InputOf } from "./api-addresses.ts";
import { ApiError } from "./api-error.ts";

const TIMEOUT_MS = 20_000;
/** A check may wait for a service that hangs, and a member may have many jobs, as a server or a file may. */
const SLOW_TIMEOUT_MS = 60_000;
const SLOW: ReadonlySet<EndpointName> = new Set([
	"operatorChecks",
	"deleteOwnData",
	"usage",
	"usageCsv",
	"historyCsv",
	"exportSettings",
	"exportOwnData",
]);

/** The routes with a JSON response. */
type CallName = {
	[Name in EndpointName]: (typeof endpoints)[Name]["response"] extends z.ZodType ? Name : never;
}[EndpointName];
export type Call = <Name extends CallName>(name: Name, ...input: InputOf<Name>) => Promise<ResponseOf<Name>>;

/** The routes with a file as their response. */
export type FileName = {
	[Name in EndpointName]: (typeof endpoints)[Name]["response"] extends "text/csv" | "application/json" ? Name : never;
}[EndpointName];

export interface ApiDeps {
	readonly fetch: typeof globalThis.fetch;
	/** The token of the session; empty before it is known. */
	readonly csrfToken: () => string;
	/** Runs when the bot responds that the session has ended. */
	readonly onLoggedOut: () => void;
	/** Reads the session again after the bot refused the token. Resolves to false if another user has logged in. */
	readonly renewSession: () => Promise<boolean>;
}

export function createApi({ fetch, csrfToken, onLoggedOut, renewSession }: ApiDeps) {
	async function send<Name extends EndpointName>(name: Name, input: InputOf<Name>): Promise<Response> {
		const { body } = (input[0] ?? {}) as Input;
		return await request(fetch, addressOf(name, ...input), {
			method: endpoints[name].method,
			headers: {
				...(body !== undefined && { "content-type": "application/json" }),
				...(name !== "session" && csrfToken() !== "" && { "x-csrf-token": csrfToken() }),
			},
			...(SLOW.has(name) && { signal: AbortSignal.timeout(SLOW_TIMEOUT_MS) }),
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
	}

	async function sendAsReader<Name extends EndpointName>(name: Name, input: InputOf<Name>): Promise<Response> {
		try {
			return await send(name, input);
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			if (error.status === 401) onLoggedOut();
			// The reader logged in again in another tab.
			if (error.code === "forged" && (await renewSession())) return await send(name, input);
			throw error;
		}
	}

	const call: Call = async (name, ...input) => {
		const { response }: Endpoint = endpoints[name];
		return read(response, await jsonOf(await sendAsReader(name, input))) as ResponseOf<typeof name>;
	};
	const download = async <Name extends FileName>(name: Name, ...input: InputOf<Name>) => {
		const response = await sendAsReader(name, input);
		const [, fileName = name] = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "") ?? [];
		return { name: fileName, content: await response.blob().catch(throwNoAnswer) };
	};
	return { call, download };
}

/** Reads the messages in the language of the session, or else of the browser. */
export async function readMessages(fetch: typeof globalThis.fetch): Promise<Messages> {
	return read(Messages, await jsonOf(await request(fetch, MESSAGES_ADDRESS, {})));
}

/** Throws an `ApiError` for a response that is no success. */
async function request(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Response> {
	const { signal = AbortSignal.timeout(TIMEOUT_MS) } = init;
	const response = await fetch(url, { cache: "no-store", ...init, signal }).catch(throwNoAnswer);
	if (response.ok) return response;
	const {
		code = "invalid_answer",
		message = "",
		settings,
	} = ErrorBody.safeParse(await jsonOf(response).catch(() => null)).data?.error ?? {};
	throw new ApiError(response.status, code, message, { settings });
}

/** Resolves to `null` for a text that is no JSON. */
const jsonOf = (response: Response): Promise<unknown> =>
	response.json().catch((cause) => (cause instanceof SyntaxError ? null : throwNoAnswer(cause)));

function throwNoAnswer(cause: unknown): never {
	throw new ApiError(null, "no_answer", "", { cause });
}

function read<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.infer<Schema> {
	const { data, error } = schema.safeParse(answer);
	if (error) throw new ApiError(200, "invalid_answer", "", { cause: error });
	return data;
}
