import { request as requestHttp, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { hostOf } from "./callback-url.ts";
import { isPublicAddress } from "@atelier/common/ssrf-guard";
import { untilAborted } from "@atelier/common/until-aborted";

interface ResolvedAddress {
	readonly address: string;
	readonly family: number;
}

/** Resolves a name to all of its current addresses. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface CallbackSenderDeps {
	readonly resolve: Resolve;
	/** Origins of this installation, which may be private. */
	readonly trustedOrigins: () => readonly string[];
	readonly timeoutMs: number;
}

/** The result of one call: the HTTP status or, without a response, an error text for the owner of the task. */
export type CallbackResult = { readonly httpStatus: number } | { readonly error: string };

/**
 * The only module that calls URLs that clients chose. Checks every address of the name and connects to the checked one,
 * so that the name cannot change in between. Follows no redirect, and reads only the status of the response.
 */
export function createCallbackSender(deps: CallbackSenderDeps) {
	async function addressOf(url: URL, signal: AbortSignal): Promise<ResolvedAddress> {
		const addresses = await untilAborted(deps.resolve(hostOf(url)), signal);
		const [first] = addresses;
		if (!first) throw new Error("the name has no address");
		const isTrusted = deps.trustedOrigins().includes(url.origin);
		// Checked again: the task may have been created when another origin was trusted.
		const isAllowed = url.protocol === "https:" && addresses.every(({ address }) => isPublicAddress(address));
		if (!isTrusted && !isAllowed) throw new CallbackNotAllowedError("the address is not public");
		return first;
	}

	return async (
		target: string,
		message: { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer },
		stop: AbortSignal,
	): Promise<CallbackResult> => {
		const url = new URL(target);
		const signal = AbortSignal.any([stop, AbortSignal.timeout(deps.timeoutMs)]);
		try {
			const address = await addressOf(url, signal);
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
	{ headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer },
	signal: AbortSignal,
): Promise<number> {
	const lookup: LookupFunction = (_hostname, { all }, done) =>
		all === true ? done(null, [{ address, family }]) : done(null, address, family);
	const options: RequestOptions = {
		method: "POST",
		host: hostOf(url),
		port: url.port,
		path: url.pathname + url.search,
		headers: { ...headers, host: url.host, "content-length": body.byteLength },
		lookup,
		signal,
		agent: false,
	};
	const request = url.protocol === "https:" ? requestHttps : requestHttp;
	return new Promise((resolve, reject) => {
		const call = request(options, (answer) => {
			resolve(answer.statusCode ?? 0);
			// The body of the response is not needed.
			answer.destroy();
		});
		call.on("error", reject);
		call.end(body);
	});
}

function reasonOf(error: unknown, signal: AbortSignal): string {
	if (error instanceof CallbackNotAllowedError) return error.message;
	if (signal.aborted) return "no answer in time";
	const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
	return `not reached${code}`;
}
