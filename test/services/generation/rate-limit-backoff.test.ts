import type { ServerResponse } from "node:http";
import { describe, expect, test, vi } from "vitest";
import { MediaUnavailableError } from "../../../src/services/generation/media-api.ts";
import { successBody, request, setup, type Handler } from "./service-setup.ts";

const { signal } = new AbortController();
const SECOND_MS = 1_000;

/** Starts a service that counts requests, and responds with 429 until the test allows them. */
async function setupLimited(headers: Readonly<Record<string, string>> = {}) {
	const service = { submits: 0, reads: 0, isAccepting: false };
	const answer: Handler = ({ method }, response) => {
		if (method === "POST") service.submits++;
		else service.reads++;
		if (service.isAccepting) response.end(successBody({ taskId: "t", status: "running" }));
		else response.writeHead(429, headers).end('{"code":42900,"message":"busy"}');
	};
	const fixture = await setup(answer);
	let keys = 0;
	const submit = (): Promise<unknown> =>
		fixture.media.submit(request, String(keys++), signal).catch((error: unknown) => error);
	const read = (): Promise<unknown> => fixture.media.read("t", request, signal).catch((error: unknown) => error);
	/** Lets this many tasks call every 250 ms for `ms`, without regard to the delay. */
	async function tryFor(tasks: number, ms: number, call = submit): Promise<void> {
		for (let elapsedMs = 0; elapsedMs < ms; elapsedMs += 250) {
			await Promise.all(Array.from({ length: tasks }, () => call()));
			await fixture.clock.advance(250);
		}
	}
	return { ...fixture, service, submit, read, tryFor };
}

describe("a service that returns 429 without Retry-After", () => {
	test("gets requests after 1, 2, 4 seconds, up to a minute", async () => {
		const { clock, service, submit, media } = await setupLimited();
		const delaysMs: number[] = [];
		for (let n = 0; n < 8; n++) {
			await submit();
			delaysMs.push(media.submitDelayMs());
			await clock.advance(media.submitDelayMs());
		}
		expect(delaysMs.map((ms) => ms / SECOND_MS)).toStrictEqual([1, 2, 4, 8, 16, 32, 60, 60]);
		expect(service.submits).toBe(8);
	});

	test("gets as few requests from many tasks as from one", async () => {
		const one = await setupLimited();
		await one.tryFor(1, 15 * SECOND_MS);
		const many = await setupLimited();
		await many.tryFor(10, 15 * SECOND_MS);
		// Requests after 0, 1, 3 and 7 seconds. Nine more were sent at once before the limit was known.
		expect([one.service.submits, many.service.submits - 9]).toStrictEqual([4, 4]);
	});

	test("gets no submit during the delay, which fails with the remaining time", async () => {
		const { clock, service, submit } = await setupLimited();
		await submit();
		await clock.advance(400);
		expect(await submit()).toMatchObject({ kind: "rate_limited", isSuppressed: true, retryAfterMs: 600 });
		expect(service.submits).toBe(1);
	});

	test("gets one probe after the pause, and then all requests", async () => {
		const { clock, service, submit, media } = await setupLimited();
		await submit();
		await clock.advance(SECOND_MS);
		service.isAccepting = true;
		const answers = await Promise.all([submit(), submit(), submit()]);
		expect(answers.filter((answer) => answer instanceof MediaUnavailableError)).toHaveLength(2);
		expect(media.submitDelayMs()).toBe(0);
		const next = await Promise.all([submit(), submit(), submit()]);
		expect(next).toStrictEqual(Array.from({ length: 3 }, () => ({ remoteId: "t" })));
	});

	test("that accepts some requests does not reset the delay to its minimum", async () => {
		const { clock, service, submit, media } = await setupLimited();
		for (let n = 0; n < 4; n++) {
			await submit();
			await clock.advance(media.submitDelayMs());
		}
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
	const { clock, service, submit, media } = await setupLimited();
	for (let n = 0; n < 60; n++) {
		await submit();
		await clock.advance(media.submitDelayMs());
	}
	service.isAccepting = true;
	for (let n = 0; n < 6; n++) await submit();
	expect(await Promise.all([submit(), submit()])).toStrictEqual([{ remoteId: "t" }, { remoteId: "t" }]);
});

describe("the Retry-After of the service", () => {
	test("is honored if it is longer than the bot's own delay", async () => {
		const { submit, media } = await setupLimited({ "retry-after": "20" });
		await submit();
		expect(media.submitDelayMs()).toBe(20 * SECOND_MS);
	});

	test("is limited to four minutes", async () => {
		const { submit, media } = await setupLimited({ "retry-after": "86400" });
		await submit();
		expect(media.submitDelayMs()).toBe(4 * 60 * SECOND_MS);
	});
});

test("a limit on submits does not delay polls", async () => {
	const { service, submit, read } = await setupLimited();
	await submit();
	await read();
	expect([service.submits, service.reads]).toStrictEqual([1, 1]);
});

function reject(response: ServerResponse | undefined, retryAfterS: string): void {
	response?.writeHead(429, { "retry-after": retryAfterS }).end('{"code":42900,"message":"busy"}');
}

test("an accepted request does not end the delay that the rejection of an older one has extended", async () => {
	const responses: ServerResponse[] = [];
	const { clock, media } = await setup((_request, response) => void responses.push(response));
	const submit = async (key: string): Promise<unknown> =>
		await media.submit(request, key, signal).catch((error: unknown) => error);
	const older = [submit("a"), submit("b")];
	await vi.waitFor(() => expect(responses).toHaveLength(2));
	reject(responses[0], "1");
	await vi.waitFor(() => expect(media.submitDelayMs()).toBeGreaterThan(0));
	await clock.advance(2 * SECOND_MS);
	const probe = submit("c");
	await vi.waitFor(() => expect(responses).toHaveLength(3));
	reject(responses[1], "60");
	await Promise.all(older);
	responses[2]?.end(successBody({ taskId: "t", status: "running" }));
	await probe;
	expect(media.submitDelayMs()).toBeGreaterThan(50 * SECOND_MS);
});

test("a clock that goes back does not resume the delay after an accepted request", async () => {
	const { clock, service, submit, media } = await setupLimited();
	await submit();
	await clock.advance(SECOND_MS);
	service.isAccepting = true;
	await submit();
	await clock.jump(-20 * SECOND_MS);
	expect(media.submitDelayMs()).toBe(0);
});

test("a clock that goes back does not prolong the delay", async () => {
	const { clock, service, submit, media } = await setupLimited();
	await submit();
	await clock.jump(-24 * 60 * 60 * SECOND_MS);
	expect(media.submitDelayMs()).toBe(0);
	await submit();
	expect(service.submits).toBe(2);
	expect(media.submitDelayMs()).toBe(2 * SECOND_MS);
});
