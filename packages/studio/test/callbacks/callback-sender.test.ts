/** Calls to URLs that clients chose. */
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createCallbackSender, type CallbackSenderDeps } from "../../src/callbacks/callback-sender.ts";
import { openReceiver } from "./receiver.ts";

const MESSAGE = { account: "acme", headers: { "webhook-id": "msg_1" }, body: Buffer.from("{}") };
const never = new AbortController().signal;

function setup(deps: Partial<CallbackSenderDeps> = {}) {
	const resolvedNames: string[] = [];
	const resolve: CallbackSenderDeps["resolve"] = async (name) => {
		resolvedNames.push(name);
		return await (deps.resolve?.(name) ?? ["127.0.0.1"]);
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

test("connects to the checked address under the requested name, even if DNS changes", async () => {
	const hellos: Buffer[] = [];
	const server = createServer((socket) => {
		socket.on("error", () => {}).once("data", (hello) => void socket.destroy(void hellos.push(hello)));
	}).listen(0, "127.0.0.1");
	onTestFinished(() => void server.close());
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	const resolutions = [["127.0.0.1"], ["10.0.0.1"]];
	const checked: string[] = [];
	const { send } = setup({
		resolve: async () => resolutions.shift() ?? [],
		isAllowedAddress: (address) => checked.push(address) > 0,
	});
	expect(await send(`https://hooks.example:${port}/hook`, MESSAGE, never)).toHaveProperty("error");
	expect(checked).toStrictEqual(["127.0.0.1"]);
	expect(resolutions).toHaveLength(1);
	expect(hellos.map((hello) => hello.includes("hooks.example"))).toStrictEqual([true]);
});

test("does not resolve the name of a trusted origin", async () => {
	const { origin } = await openReceiver();
	const trustedOrigin = origin.replace("127.0.0.1", "localhost");
	const { send, resolvedNames } = setup({ trustedOrigins: () => [trustedOrigin] });
	expect(await send(trustedOrigin, MESSAGE, never)).toStrictEqual({ httpStatus: 204 });
	expect(resolvedNames).toStrictEqual([]);
});

test("does not call a name if one of its addresses is private", async () => {
	const { port, received } = await openReceiver();
	const { send } = setup({ resolve: async () => ["8.8.8.8", "127.0.0.1"] });
	const result = await send(`https://hooks.example:${port}/`, MESSAGE, never);
	expect(result).toStrictEqual({ error: "the address is not public" });
	expect(received).toStrictEqual([]);
});

test("does not call plain http, even at a public address", async () => {
	const { send } = setup({ resolve: async () => ["8.8.8.8"] });
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
