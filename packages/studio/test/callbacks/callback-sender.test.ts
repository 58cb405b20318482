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

test("does not call a name if one of its addresses is private", async () => {
	const { port, received } = await openReceiver();
	const addresses = [
		{ address: "8.8.8.8", family: 4 },
		{ address: "127.0.0.1", family: 4 },
	] as const;
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

const failWith = (code: string) => () => Promise.reject(Object.assign(new Error("failed"), { code }));
test.each<[string, Partial<CallbackSenderDeps>, string]>([
	["a silent receiver", { timeoutMs: 50 }, "no response in time"],
	["a silent name server", { timeoutMs: 50, resolve: () => new Promise(() => {}) }, "no response in time"],
	["an unknown name", { resolve: failWith("ENOTFOUND") }, "connection failed (ENOTFOUND)"],
	["a name without an address", { resolve: async () => [] }, "connection failed"],
])("reports %s", async (_failure, deps, error) => {
	const { origin } = await openReceiver("never");
	const { send } = setup({ trustedOrigins: () => [origin], ...deps });
	expect(await send(origin, MESSAGE, never)).toStrictEqual({ error });
});

test("reports a refused connection", async () => {
	const { send } = setup({ trustedOrigins: () => ["http://127.0.0.1:9"] });
	expect(await send("http://127.0.0.1:9/", MESSAGE, never)).toStrictEqual({
		error: "connection failed (ECONNREFUSED)",
	});
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
