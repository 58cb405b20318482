import { request as requestHttp, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "@atelier/common/ssrf-guard";
import { untilAborted } from "@atelier/common/until-aborted";
import { hostOf } from "./callback-url.ts";

interface ResolvedAddress {
	readonly address: string;
	readonly family: number;
}

/** Resolves a host name to all of its current addresses. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface CallbackSenderDeps {
	readonly resolve: Resolve;
	/** Origins that callbacks of an account may go to although they are private. */
	readonly trustedOrigins: (account: string) => readonly string[];
	readonly timeoutMs: number;
}

/** The HTTP status or, without a response, the reason for the log. */
type CallbackResult = { readonly httpStatus: number } | { readonly error: string };

interface CallbackMessage {
	/** The account of the task. */
	readonly account: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
}

export type CallbackSender = (url: string, message: CallbackMessage, stop: AbortSignal) => Promise<CallbackResult>;

/**
 * The only module that posts to URLs that clients chose. Checks every address of the host name and connects to a checked
 * one, so that a changed name cannot lead elsewhere. Follows no redirect, and reads only the status of the response.
 */
export function createCallbackSender(deps: CallbackSenderDeps): CallbackSender {
	async function addressOf(url: URL, account: string, signal: AbortSignal): Promise<ResolvedAddress> {
		const addresses = await untilAborted(deps.resolve(hostOf(url)), signal);
		const [first] = addresses;
		if (!first) throw new Error("the host name has no address");
		const isTrusted = deps.trustedOrigins(account).includes(url.origin);
		// Checked again: the task may have been created when another origin was trusted.
		const isAllowed = url.protocol === "https:" && addresses.every(({ address }) => isPublicAddress(address));
		if (!isTrusted && !isAllowed) throw new CallbackNotAllowedError("the address is not public");
		return first;
	}

	return async (callbackUrl, message, stop) => {
		const url = new URL(callbackUrl);
		const signal = AbortSignal.any([stop, AbortSignal.timeout(deps.timeoutMs)]);
		try {
			const address = await addressOf(url, message.account, signal);
			return { httpStatus: await post(url, address, message, signal) };
		} catch (error) {
			stop.throwIfAborted();
			return { error: reasonOf(error, signal) };
		}
	};
}

class CallbackNotAllowedError extends Error {
	override readonly name = "CallbackNotAllowedError";
}

function post(
	url: URL,
	{ address, family }: ResolvedAddress,
	{ headers, body }: CallbackMessage,
	signal: AbortSignal,
): Promise<number> {
	const lookup: LookupFunction = (_hostname, { all }, done) =>
		all === true ? done(null, [{ address, family }]) : done(null, address, family);
	const options: RequestOptions = {
		method: "POST",
		host: hostOf(url),
		port: url.port,
		path: url.pathname + url.search,
		headers,
		lookup,
		signal,
		agent: false,
	};
	const sendRequest = url.protocol === "https:" ? requestHttps : requestHttp;
	return new Promise((resolve, reject) => {
		const request = sendRequest(options, (response) => {
			resolve(response.statusCode ?? 0);
			response.destroy();
		});
		request.on("error", reject);
		request.end(body);
	});
}

function reasonOf(error: unknown, signal: AbortSignal): string {
	if (error instanceof CallbackNotAllowedError) return error.message;
	if (signal.aborted) return "no response in time";
	const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
	return `connection failed${code}`;
}
