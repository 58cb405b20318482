import type { RESTOptions } from "discord.js";
import { expect, test } from "vitest";
import { CallbackUnansweredError, withCallbackRetry } from "../../src/discord/interaction-callback-retry.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const CALLBACK = "https://discord.test/api/v10/interactions/1/secret/callback?with_response=true";
const DEFER = JSON.stringify({ type: 5 });
const REPLY = JSON.stringify({ type: 4, data: { content: "hello" } });
const HANG_UP = Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });
const TIMED_OUT = new DOMException("This operation was aborted", "AbortError");
const MESSAGE = { resource: { message: { id: "2" } } };

type MakeRequest = RESTOptions["makeRequest"];
type Outcome = Error | Response | { readonly afterMs: number; readonly outcome: Error };

const rejection = (code: number, status = 400) => Response.json({ code, message: "rejected" }, { status });

/** A Discord that answers the requests with `outcomes`, in turn. */
function setup(outcomes: readonly Outcome[]) {
	const clock = createManualClock();
	const sentBodies: unknown[] = [];
	const remainingOutcomes = [...outcomes];
	const makeRequest: MakeRequest = async (_url, { body }) => {
		sentBodies.push(body);
		const next = remainingOutcomes.shift() ?? new Error("one request too many");
		const outcome = "afterMs" in next ? next.outcome : next;
		if ("afterMs" in next) await clock.advance(next.afterMs);
		if (outcome instanceof Error) throw outcome;
		return outcome;
	};
	const request = withCallbackRetry(makeRequest, { clock });
	const send = (url = CALLBACK, body = DEFER) => request(url, { body });
	return { send, sent: sentBodies };
}

test.each([
	["the connection is closed", HANG_UP],
	["the request times out", TIMED_OUT],
	["a proxy answers 502", new Response("bad gateway", { status: 502 })],
])("a callback is retried once after %s", async (_what, lost) => {
	const { send, sent } = setup([lost, Response.json(MESSAGE)]);
	expect(await (await send()).json()).toStrictEqual(MESSAGE);
	expect(sent).toStrictEqual([DEFER, DEFER]);
});

test.each([
	["a retry means that the first callback was accepted", [HANG_UP, rejection(40_060)], 204],
	["no retry is a rejection", [rejection(40_060)], 400],
])("40060 after %s", async (_what, outcomes, status) => {
	const { send, sent } = setup(outcomes);
	expect((await send()).status).toBe(status);
	expect(sent).toHaveLength(outcomes.length);
});

test("a retry that is rate limited counts as lost, because a later 40060 would look like that of another process", async () => {
	expect((await setup([HANG_UP, rejection(0, 429)]).send()).status).toBe(204);
	await expect(setup([HANG_UP, rejection(0, 429)]).send(CALLBACK, REPLY)).rejects.toThrow(CallbackUnansweredError);
});

test("another rejection of the retry is returned", async () => {
	const response = await setup([HANG_UP, rejection(10_062, 404)]).send();
	expect([response.status, await response.json()]).toStrictEqual([404, expect.objectContaining({ code: 10_062 })]);
	const invalid = await setup([HANG_UP, rejection(50_035)]).send();
	expect([invalid.status, await invalid.json()]).toStrictEqual([400, expect.objectContaining({ code: 50_035 })]);
});

test.each([
	["a callback whose retry is lost too is not retried again", [HANG_UP, HANG_UP], 2],
	[
		"a callback that is lost shortly before Discord stops waiting is not retried",
		[{ afterMs: 2_500, outcome: HANG_UP }],
		1,
	],
] as const)("%s", async (_title, outcomes, times) => {
	const message = setup(outcomes);
	await expect(message.send(CALLBACK, REPLY)).rejects.toThrow(CallbackUnansweredError);
	expect(message.sent).toHaveLength(times);
	// A lost deferral counts as accepted: `deferReply` then reads `@original`, which shows whether it was.
	const deferral = setup(outcomes);
	expect((await deferral.send()).status).toBe(204);
	expect(deferral.sent).toHaveLength(times);
});

test("autocomplete choices are not retried", async () => {
	const { send, sent } = setup([HANG_UP]);
	await expect(send(CALLBACK, JSON.stringify({ type: 8, data: { choices: [] } }))).rejects.toThrow(
		CallbackUnansweredError,
	);
	expect(sent).toHaveLength(1);
});

test("requests that are no callbacks are not retried", async () => {
	const { send, sent } = setup([HANG_UP]);
	await expect(send("https://discord.test/api/v10/webhooks/1/secret")).rejects.toBe(HANG_UP);
	expect(sent).toHaveLength(1);
});
