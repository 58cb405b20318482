import { AddressNotPublicError, discardBody, requestPublic, type AddressRules } from "@atelier/common/public-request";
import { orAborted } from "@atelier/common/or-aborted";

export interface CallbackSenderDeps extends Omit<AddressRules, "trustedOrigins"> {
	/** Origins that callbacks of an account may go to although they are private. */
	readonly trustedOrigins: (account: string) => readonly string[];
	readonly timeoutMs: number;
}

/** The HTTP status or, without a response, the reason for the log. */
type CallbackResult = { readonly httpStatus: number } | { readonly error: string };

interface CallbackMessage {
	/** The account of the task. */
	readonly account: string;
	readonly headers: Record<string, string>;
	readonly body: Buffer;
}

export type CallbackSender = (url: string, message: CallbackMessage, stop: AbortSignal) => Promise<CallbackResult>;

/** The only module that posts to URLs that clients chose. Follows no redirect, and reads only the status of the response. */
export function createCallbackSender({ trustedOrigins, timeoutMs, ...rules }: CallbackSenderDeps): CallbackSender {
	async function post(url: URL, message: CallbackMessage, signal: AbortSignal): Promise<number> {
		const { account, headers, body } = message;
		const trusted = trustedOrigins(account);
		// Checked again: the task may have been created when another origin was trusted.
		if (url.protocol !== "https:" && !trusted.includes(url.origin)) throw new AddressNotPublicError(url.host);
		const options = { method: "POST", headers, body, signal } as const;
		const response = await orAborted(requestPublic(url, options, { ...rules, trustedOrigins: trusted }), signal);
		discardBody(response);
		return response.statusCode;
	}

	return async (url, message, stop) => {
		const ended = new AbortController();
		const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
		try {
			return { httpStatus: await post(new URL(url), message, AbortSignal.any([signal, ended.signal])) };
		} catch (error) {
			stop.throwIfAborted();
			return { error: reasonOf(error, signal) };
		} finally {
			ended.abort();
		}
	};
}

function reasonOf(error: unknown, signal: AbortSignal): string {
	if (error instanceof AddressNotPublicError) return "the address is not public";
	if (signal.aborted) return "no response in time";
	const code = error instanceof Error && "code" in error ? String(error.code) : "";
	if (code === "UND_ERR_SOCKET") return "connection closed without a response";
	return code === "" ? "connection failed" : `connection failed (${code})`;
}
