/** Calls to URLs that clients chose. */
import { expect, onTestFinished, test } from "vitest";
import { createCallbackSender, type CallbackSenderDeps } from "../../src/callbacks/callback-sender.ts";
import { openReceiver } from "./receiver.ts";

const MESSAGE = { account: "acme", headers: { "webhook-id": "msg_1" }, body: Buffer.from("{}") };
const never = new AbortController().signal;

function setup(deps: Partial<CallbackSenderDeps> = {}) {
	const resolvedNames: string[] = [];
	const resolve: CallbackSenderDeps["resolve"] = async (name) => {
		resolvedNames.push(name);
		return await (deps.resolve?.(name) ?? [{ address: "127.0.0.1", family: 4 }]);
	};
	const send = createCallbackSender({ timeoutMs: 5000, trustedOrigins: () => [], ...deps, resolve });
	return { send, resolvedNames };
}

test("sends body and headers unchanged and returns the status", async () => {
	const { origin, received } = await openReceiver(202);
	const { send } = setup({ trustedOrigins: () => [origin] });
	expect(await send(`${origin}/hook?a=1`, MESSAGE, never)).toStrictEqual({ httpStatus: 202 });
	const headers = { "webhook-id": "msg_1", "content-length": "2" };
	expect(received).toMatchObject([{ path: "/hook?a=1", body: "{}", headers }]);
});

test("connects to the checked address with the requested host name", async () => {
	const { port, received } = await openReceiver();
	const origin = `http://hooks.example:${port}`;
	const { send, resolvedNames } = setup({ trustedOrigins: () => [origin] });
	expect(await send(`${origin}/hook`, MESSAGE, never)).toStrictEqual({ httpStatus: 204 });
	// Resolves once: a second lookup could return another address.
	expect(resolvedNames).toStrictEqual(["hooks.example"]);
	expect(received).toMatchObject([{ headers: { host: `hooks.example:${port}` } }]);
});

test.each([
	["this machine", [{ address: "127.0.0.1", family: 4 }]],
	["a private network", [{ address: "10.0.0.1", family: 4 }]],
	["this machine over IPv6", [{ address: "::1", family: 6 }]],
	[
		"one public and one private address",
		[
			{ address: "8.8.8.8", family: 4 },
			{ address: "192.168.1.1", family: 4 },
		],
	],
] as const)("a name that leads to %s is not called", async (_description, addresses) => {
	const { port, received } = await openReceiver();
	const { send } = setup({ resolve: async () => addresses });
	const result = await send(`https://hooks.example:${port}/`, MESSAGE, never);
	expect(result).toStrictEqual({ error: "the address is not public" });
	expect(received).toStrictEqual([]);
});

test("does not call plain http, even at a public address", async () => {
	const { send } = setup({ resolve: async () => [{ address: "8.8.8.8", family: 4 }] });
	expect(await send("http://hooks.example/", MESSAGE, never)).toStrictEqual({ error: "the address is not public" });
});

test("does not trust another port of a trusted origin's host", async () => {
	const [trustedReceiver, other] = [await openReceiver(), await openReceiver()];
	const { send } = setup({ trustedOrigins: () => [trustedReceiver.origin] });
	expect(await send(other.origin, MESSAGE, never)).toStrictEqual({ error: "the address is not public" });
	expect(other.received).toStrictEqual([]);
});

test("returns a redirect as the response and does not follow it", async () => {
	const { origin, received } = await openReceiver(302);
	const { send } = setup({ trustedOrigins: () => [origin] });
	expect(await send(origin, MESSAGE, never)).toStrictEqual({ httpStatus: 302 });
	expect(received).toHaveLength(1);
});

test("reports timeout, unknown name and refused connection as different errors", async () => {
	const { origin } = await openReceiver("never");
	const trustedOrigins = (): string[] => [origin, "http://127.0.0.1:9", "http://gone.example"];
	const quick = setup({ trustedOrigins, timeoutMs: 50 });
	expect(await quick.send(origin, MESSAGE, never)).toStrictEqual({ error: "no response in time" });
	const { send } = setup({ trustedOrigins });
	expect(await send("http://127.0.0.1:9/", MESSAGE, never)).toStrictEqual({
		error: "connection failed (ECONNREFUSED)",
	});
	const lost = setup({
		trustedOrigins,
		resolve: () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" })),
	});
	expect(await lost.send("http://gone.example/", MESSAGE, never)).toStrictEqual({
		error: "connection failed (ENOTFOUND)",
	});
	const nowhere = setup({ trustedOrigins, resolve: async () => [] });
	expect(await nowhere.send("http://gone.example/", MESSAGE, never)).toStrictEqual({ error: "connection failed" });
});

test("applies the timeout to the DNS lookup too", async () => {
	const { send } = setup({ timeoutMs: 50, resolve: () => new Promise(() => {}) });
	expect(await send("https://slow.example/", MESSAGE, never)).toStrictEqual({ error: "no response in time" });
});

test("a stop rejects the call at once", async () => {
	const { origin, received } = await openReceiver("never");
	const stop = new AbortController();
	onTestFinished(() => stop.abort());
	const { send } = setup({ trustedOrigins: () => [origin] });
	const sending = send(origin, MESSAGE, stop.signal);
	await expect.poll(() => received.length).toBe(1);
	stop.abort(new Error("stopping"));
	await expect(sending).rejects.toThrow("stopping");
});
