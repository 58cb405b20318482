/** Callbacks are hints to poll, and nothing more. */
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { pino } from "pino";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test, vi } from "vitest";
import { registerMediaCallbackRoute } from "../../src/http/media-callback-route.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const BODY = '{"status":"success"}';

async function setup({ readSecret = async () => SECRET } = {}) {
	const app = fastify();
	onTestFinished(() => app.close());
	const woken: string[] = [];
	const clock = createManualClock();
	const wakeTask = (taskId: string): void => void woken.push(taskId);
	const warnings: string[] = [];
	const logger = pino({ level: "warn" }, { write: (line) => void warnings.push(line) });
	await registerMediaCallbackRoute(app, { secret: readSecret, wakeTask, clock, logger });

	const signed = (sentAtMs = clock.nowMs(), secret = SECRET, body = BODY) => ({
		"content-type": "application/json",
		"webhook-id": "msg_1",
		"webhook-timestamp": String(Math.floor(sentAtMs / 1000)),
		"webhook-signature": new Webhook(secret).sign("msg_1", new Date(sentAtMs), body),
	});
	async function post(headers: Record<string, string>, { path = "/callbacks/media/4711", body = BODY } = {}) {
		return (await app.inject({ method: "POST", url: path, headers, payload: body })).statusCode;
	}
	return { app, clock, woken, warnings, signed, post };
}

test("a signed callback wakes the task of its path, and its body is ignored", async () => {
	const { post, signed, woken, clock } = await setup();
	for (const body of [BODY, "", "null", "<xml/>", '{"taskId":"another"}']) {
		expect(await post(signed(clock.nowMs(), SECRET, body), { body })).toBe(204);
	}
	expect(new Set(woken)).toStrictEqual(new Set(["4711"]));
	// One valid signature suffices, because the secret may be rotating.
	const headers = signed();
	headers["webhook-signature"] = `v1,AAAA v2,x ${headers["webhook-signature"]}`;
	expect(await post(headers)).toBe(204);
});

test("a timestamp within five minutes is accepted, and others are rejected", async () => {
	const { post, signed, woken, clock } = await setup();
	for (const offsetMs of [-300_000, 300_000]) expect(await post(signed(clock.nowMs() + offsetMs))).toBe(204);
	for (const offsetMs of [-301_000, 301_000]) expect(await post(signed(clock.nowMs() + offsetMs))).toBe(401);
	expect(woken).toHaveLength(2);
});

test("a callback without a valid signature wakes no task", async () => {
	const { post, signed, woken, clock } = await setup();
	const right = signed();
	const without = (name: keyof typeof right): Record<string, string> =>
		Object.fromEntries(Object.entries(right).filter(([each]) => each !== name));
	const nextSecond = String(Math.floor(clock.nowMs() / 1000) + 1);
	const wrong = [
		{},
		...(["webhook-id", "webhook-timestamp", "webhook-signature"] as const).map(without),
		{ ...right, "webhook-id": "msg_2" },
		{ ...right, "webhook-timestamp": "soon" },
		{ ...right, "webhook-timestamp": nextSecond },
		{ ...right, "webhook-signature": "v1," },
		signed(clock.nowMs(), `whsec_${Buffer.alloc(32, 8).toString("base64")}`),
	];
	for (const headers of wrong) expect(await post(headers)).toBe(401);
	expect(await post(right, { body: `${BODY} ` })).toBe(401);
	expect(woken).toStrictEqual([]);
});

test("while the secret cannot be read, a callback is answered with 503, and the next one reads it again", async () => {
	let reads = 0;
	const readSecret = async (): Promise<string> => {
		reads += 1;
		if (reads <= 2) throw new Error("the service is down");
		return SECRET;
	};
	const { post, signed, woken, warnings } = await setup({ readSecret });
	expect(await post({})).toBe(401);
	expect(reads).toBe(0);
	for (let times = 0; times < 2; times++) expect(await post(signed())).toBe(503);
	expect(woken).toStrictEqual([]);
	// Only the first failure is logged.
	expect(warnings).toStrictEqual([expect.stringContaining("callback secret not read")]);
	for (let times = 0; times < 3; times++) expect(await post(signed())).toBe(204);
	expect(woken).toHaveLength(3);
	expect(reads).toBe(3);
});

test("a callback may be as large as a task of the studio, and only so many are read at once", async () => {
	const { app, post, signed, clock } = await setup();
	const large = "x".repeat(128 * 1024);
	expect(await post(signed(clock.nowMs(), SECRET, large), { body: large })).toBe(204);
	expect(await post(signed(), { body: `${large}x` })).toBe(413);
	await app.listen({ host: "127.0.0.1", port: 0 });
	const { port } = app.server.address() as AddressInfo;
	const slow = Array.from({ length: 64 }, () => {
		const headers = { "content-length": "100", "content-type": "text/plain" };
		const call = request({ port, host: "127.0.0.1", path: "/callbacks/media/1", method: "POST", headers });
		call.on("error", () => undefined).flushHeaders();
		return call;
	});
	await vi.waitFor(async () => expect(await post(signed())).toBe(503));
	for (const call of slow) call.destroy();
	await vi.waitFor(async () => expect(await post(signed())).toBe(204));
});
