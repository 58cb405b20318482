import type { ServerResponse } from "node:http";
import { describe, expect, test, vi } from "vitest";
import { successBody, request, setup } from "./service-setup.ts";

const { signal } = new AbortController();
const SECOND_MS = 1_000;

/** Starts a service that responds with 429 until the test allows requests. */
async function setupLimited(headers: Readonly<Record<string, string>> = {}) {
	const service = { isAccepting: false };
	const fixture = await setup((_request, response) => {
		if (service.isAccepting) response.end(successBody({ taskId: "t", status: "running" }));
		else response.writeHead(429, headers).end('{"code":42900,"message":"busy"}');
	});
	const { media, clock } = fixture;
	let keys = 0;
	const submit = (): Promise<unknown> => media.submit(request, String(keys++), signal).catch((error: unknown) => error);
	/** Submits again and again, always after the delay. Resolves to the delays in seconds. */
	async function submitTimes(count: number): Promise<readonly number[]> {
		const delaysS: number[] = [];
		for (let n = 0; n < count; n++) {
			await submit();
			delaysS.push(media.submitDelayMs() / SECOND_MS);
			await clock.advance(media.submitDelayMs());
		}
		return delaysS;
	}
	return { ...fixture, service, submit, submitTimes };
}

const ACCEPTED = { remoteId: "t" };

describe("a service that returns 429 without Retry-After", () => {
	test("gets requests after 1, 2, 4 seconds, up to a minute", async () => {
		const { requests, submitTimes } = await setupLimited();
		expect(await submitTimes(8)).toStrictEqual([1, 2, 4, 8, 16, 32, 60, 60]);
		expect(requests).toHaveLength(8);
	});

	test("gets as few requests from many tasks as from one", async () => {
		const { clock, requests, submit } = await setupLimited();
		for (let elapsedMs = 0; elapsedMs < 15 * SECOND_MS; elapsedMs += 250) {
			await Promise.all(Array.from({ length: 10 }, () => submit()));
			await clock.advance(250);
		}
		// Requests after 0, 1, 3 and 7 seconds. Nine more were sent at once before the limit was known.
		expect(requests).toHaveLength(4 + 9);
	});

	test("gets no submit during the delay, then one probe, and after its success all", async () => {
		const { clock, service, requests, submit, media } = await setupLimited();
		await submit();
		await clock.advance(400);
		const suppressed = { kind: "rate_limited", isSuppressed: true };
		expect(await submit()).toMatchObject({ ...suppressed, retryAfterMs: 600 });
		expect(requests).toHaveLength(1);
		await clock.advance(600);
		service.isAccepting = true;
		expect(await Promise.all([submit(), submit()])).toMatchObject([ACCEPTED, suppressed]);
		expect(media.submitDelayMs()).toBe(0);
		// The end of the delay is forgotten.
		await clock.jump(-20 * SECOND_MS);
		expect(await Promise.all([submit(), submit()])).toStrictEqual([ACCEPTED, ACCEPTED]);
	});

	test("that accepts some requests does not reset the delay to its minimum", async () => {
		const { service, submit, submitTimes, media } = await setupLimited();
		await submitTimes(4);
		service.isAccepting = true;
		await submit();
		service.isAccepting = false;
		await submit();
		expect(media.submitDelayMs()).toBe(8 * SECOND_MS);
	});
});

// Six doublings reach the longest delay, and each accepted request takes one back. Then requests are no longer probes, so that two can be
// sent at once.
test("after an hour of rejections, six accepted requests reset the delay", async () => {
	const { service, submit, submitTimes } = await setupLimited();
	await submitTimes(60);
	service.isAccepting = true;
	await submitTimes(6);
	expect(await Promise.all([submit(), submit()])).toStrictEqual([ACCEPTED, ACCEPTED]);
});

test.each([
	["is honored if it is longer than the bot's own delay", "20", 20],
	["is limited to four minutes", "86400", 240],
])("the Retry-After of the service %s", async (_what, retryAfterS, delayS) => {
	const { submitTimes } = await setupLimited({ "retry-after": retryAfterS });
	expect(await submitTimes(1)).toStrictEqual([delayS]);
});

test("a limit on submits does not delay polls", async () => {
	const { requests, submit, media } = await setupLimited();
	await submit();
	await media.read("t", request, signal).catch(() => {});
	expect(requests).toMatchObject([{ method: "POST" }, { method: "GET" }]);
});

test("an accepted request does not end the delay that the rejection of an older one has extended", async () => {
	const responses: ServerResponse[] = [];
	const { clock, media } = await setup((_request, response) => void responses.push(response));
	const submit = (key: string) => media.submit(request, key, signal).catch(() => {});
	const reject = (index: number, retryAfterS: string): void =>
		void responses[index]?.writeHead(429, { "retry-after": retryAfterS }).end('{"code":42900,"message":"busy"}');
	const older = [submit("a"), submit("b")];
	await vi.waitFor(() => expect(responses).toHaveLength(2));
	reject(0, "1");
	await vi.waitFor(() => expect(media.submitDelayMs()).toBeGreaterThan(0));
	await clock.advance(2 * SECOND_MS);
	const probe = submit("c");
	await vi.waitFor(() => expect(responses).toHaveLength(3));
	reject(1, "60");
	await Promise.all(older);
	responses[2]?.end(successBody({ taskId: "t", status: "running" }));
	await probe;
	expect(media.submitDelayMs()).toBeGreaterThan(50 * SECOND_MS);
});

test("a clock that goes back does not prolong the delay", async () => {
	const { clock, requests, submit, media } = await setupLimited();
	await submit();
	await clock.jump(-24 * 60 * 60 * SECOND_MS);
	expect(media.submitDelayMs()).toBe(0);
	await submit();
	expect(requests).toHaveLength(2);
	expect(media.submitDelayMs()).toBe(2 * SECOND_MS);
});
