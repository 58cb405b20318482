import type { RESTOptions } from "discord.js";
import { expect, test } from "vitest";
import { CallbackUnansweredError, withCallbackRetry } from "../../src/discord/interaction-callback-retry.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const CALLBACK = "https://discord.test/api/v10/interactions/1/secret/callback?with_response=true";
const WEBHOOK = "https://discord.test/api/v10/webhooks/1/secret";
const DEFER = { type: 5 };
const REPLY = { type: 4, data: { content: "hello" } };
const CHOICES = { type: 8, data: { choices: [] } };
const HANG_UP = Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });
const TIMED_OUT = new DOMException("This operation was aborted", "AbortError");
/** A connection that is closed shortly before Discord stops waiting. */
const LATE_HANG_UP = { afterMs: 2_500, error: HANG_UP };

type Outcome = Error | Response | typeof LATE_HANG_UP;

const accepted = () => Response.json({ resource: { message: { id: "2" } } });
const rejection = (code: number, status = 400) => Response.json({ code, message: "rejected" }, { status });
const containing = (text: string): unknown => expect.stringContaining(text);

test.each<[string, readonly Outcome[], unknown, object?, string?]>([
	["is retried once after a closed connection", [HANG_UP, accepted()], [200, containing('"id":"2"')]],
	["is retried once after a timeout", [TIMED_OUT, accepted()], [200, containing('"id":"2"')]],
	["is retried once after a 502", [new Response("bad", { status: 502 }), accepted()], [200, containing('"id":"2"')]],
	["was accepted if only its retry is rejected as the second one", [HANG_UP, rejection(40_060)], [204, ""]],
	["is rejected as the second one without a retry", [rejection(40_060)], [400, containing("40060")]],
	["returns another rejection of its retry", [HANG_UP, rejection(10_062, 404)], [404, containing("10062")]],
	["returns another 400 of its retry", [HANG_UP, rejection(50_035)], [400, containing("50035")]],
	// `deferReply` then reads `@original`, which shows whether it was accepted.
	["that defers counts as accepted if its retry is lost too", [HANG_UP, HANG_UP], [204, ""]],
	["that defers counts as accepted if it is too late for a retry", [LATE_HANG_UP], [204, ""]],
	// A later 40060 would look like that of another process.
	["that defers counts as accepted if its retry is rate limited", [HANG_UP, rejection(0, 429)], [204, ""]],
	["that replies fails if its retry is lost too", [HANG_UP, HANG_UP], CallbackUnansweredError, REPLY],
	["that replies fails if it is too late for a retry", [LATE_HANG_UP], CallbackUnansweredError, REPLY],
	["that replies fails if its retry is rate limited", [HANG_UP, rejection(0, 429)], CallbackUnansweredError, REPLY],
	["with choices of autocomplete is not retried", [HANG_UP], CallbackUnansweredError, CHOICES],
	["is retried, and no other request", [HANG_UP], Error, DEFER, WEBHOOK],
])("a callback %s", async (_what, outcomes, expected, body = DEFER, url = CALLBACK) => {
	const clock = createManualClock();
	const sent: unknown[] = [];
	const makeRequest: RESTOptions["makeRequest"] = async (_url, options) => {
		const next = outcomes[sent.push(options.body) - 1] ?? new Error("one request too many");
		if (next instanceof Response) return next;
		if ("afterMs" in next) await clock.advance(next.afterMs);
		throw "afterMs" in next ? next.error : next;
	};
	const request = withCallbackRetry(makeRequest, { clock });
	const outcome = await request(url, { body: JSON.stringify(body) }).catch((error: unknown) => error);
	const seen = outcome instanceof Response ? [outcome.status, await outcome.text()] : (outcome as Error).constructor;
	expect(seen).toStrictEqual(expected);
	expect(sent).toStrictEqual(outcomes.map(() => JSON.stringify(body)));
});
