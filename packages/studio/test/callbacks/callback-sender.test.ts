/** Calls to URLs that clients chose. */
import { expect, onTestFinished, test } from "vitest";
import { createCallbackSender, type CallbackSenderDeps } from "../../src/callbacks/callback-sender.ts";
import { openReceiver } from "./receiver.ts";

const MESSAGE = { account: "acme", headers: { "webhook-id": "msg_1" }, body: Buffer.from("{}") };
const never = new AbortController().signal;

function setup(deps: Partial<CallbackSenderDeps> = {}) {
	const send = createCallbackSender({ timeoutMs: 5000, trustedOrigins: () => [], ...deps });
	return { send };
}

test("sends body and headers unchanged and returns the status", async () => {
	const { origin, received } = await openReceiver(202);
	const { send } = setup({ trustedOrigins: () => [origin] });
	expect(await send(`${origin}/hook?a=1`, MESSAGE, never)).toStrictEqual({ httpStatus: 202 });
	const headers = { "webhook-id": "msg_1", "content-length": "2" };
	expect(received).toMatchObject([{ path: "/hook?a=1", body: "{}", headers }]);
});

test("does not call plain http, even at a public address", async () => {
	const { send } = setup({ resolve: async () => ["8.8.8.8"] });
	expect(await send("http://hooks.example/", MESSAGE, never)).toStrictEqual({ error: "the address is not public" });
});

test("returns a redirect as the response and does not follow it", async () => {
	const { origin, received } = await openReceiver(302);
	const { send } = setup({ trustedOrigins: () => [origin] });
	expect(await send(origin, MESSAGE, never)).toStrictEqual({ httpStatus: 302 });
	expect(received).toHaveLength(1);
});

test("reports a silent receiver", async () => {
	const { origin } = await openReceiver("never");
	const { send } = setup({ trustedOrigins: () => [origin], timeoutMs: 50 });
	expect(await send(origin, MESSAGE, never)).toStrictEqual({ error: "no response in time" });
});

const failWith = (code: string) => () => Promise.reject(Object.assign(new Error("failed"), { code }));
test.each<[string, Partial<CallbackSenderDeps>, string]>([
	["a silent name server", { timeoutMs: 50, resolve: () => new Promise(() => {}) }, "no response in time"],
	["an unknown name", { resolve: failWith("ENOTFOUND") }, "connection failed (ENOTFOUND)"],
	["a name without an address", { resolve: async () => [] }, "the address is not public"],
])("reports %s", async (_failure, deps, error) => {
	expect(await setup(deps).send("https://hooks.example/", MESSAGE, never)).toStrictEqual({ error });
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
