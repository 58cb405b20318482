import { pino } from "pino";
import { expect, test } from "vitest";
import { withMediaApiMetrics } from "../../src/metrics/media-api-metrics.ts";
import { withStoreMetrics } from "../../src/metrics/store-metrics.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";
import { MediaTimeoutError, MediaUnavailableError, type MediaApi } from "../../src/services/generation/media-api.ts";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";
import { openStore } from "@atelier/store/open-store";
import { runningRemoteTask } from "../fakes/fake-media-api.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const requested = { mediaType: "image", options: {}, prompt: "" } as const;
const { signal } = new AbortController();

function setup() {
	const metrics = createMetrics({ logger: pino({ level: "silent" }) });
	const valueOf = async (series: string): Promise<number | undefined> => {
		const line = (await metrics.scrape()).split("\n").find((each) => each.startsWith(`${series} `));
		return line === undefined ? undefined : Number(line.slice(series.length));
	};
	return { metrics, valueOf };
}

const never = (): Promise<never> => Promise.reject(new MediaUnavailableError("not reached"));

function mediaSetup() {
	const clock = createManualClock();
	const { metrics, valueOf } = setup();
	const service = {
		answer: (): RemoteTask => runningRemoteTask,
		health: { state: "up" } as ReturnType<MediaApi["health"]>,
	};
	const media = withMediaApiMetrics(
		{
			origin: "http://media.test",
			honorsIdempotencyKey: false,
			submitTimeoutMs: 15_000,
			submit: () => Promise.reject(new MediaTimeoutError("no answer")),
			read: async () => service.answer(),
			cancel: never,
			find: never,
			submitDelayMs: () => 0,
			models: never,
			health: () => service.health,
		},
		{ metrics, clock, pollsPerSecond: () => 2 },
	);
	return { clock, media, service, valueOf };
}

test("a change that lost a race counts as a retry, and the creation of an existing document does not", async () => {
	const { metrics, valueOf } = setup();
	const store = withStoreMetrics(await openStore("memory:"), metrics);
	const raw = await store.compareAndSet("a", undefined, 1);
	await store.compareAndSet("a", undefined, 2);
	expect(await valueOf("atelier_store_cas_retries_total")).toBe(0);
	await store.compareAndSet("a", raw, 2);
	await store.compareAndSet("a", raw, 3);
	expect(await valueOf("atelier_store_cas_retries_total")).toBe(1);
	expect(await valueOf('atelier_store_operation_seconds_count{op="compareAndSet"}')).toBe(4);
	const create = { key: "b", expectedRaw: undefined, next: 1 };
	await store.compareAndSetAll([{ ...create, key: "a" }, create]);
	expect(await valueOf("atelier_store_cas_retries_total")).toBe(1);
	await store.compareAndSetAll([{ key: "a", expectedRaw: raw, next: 4 }, create]);
	expect(await valueOf("atelier_store_cas_retries_total")).toBe(2);
});

test("a failed store operation is counted by name, and its error is rethrown", async () => {
	const { metrics, valueOf } = setup();
	const broken = await openStore("memory:");
	const outage = new Error("the store is unavailable");
	const store = withStoreMetrics(
		{
			...broken,
			get: () => Promise.reject(outage),
			// oxlint-disable-next-line require-yield -- it fails before it finds anything
			async *scan() {
				throw outage;
			},
		},
		metrics,
	);
	await expect(store.get("a")).rejects.toBe(outage);
	await expect(Array.fromAsync(store.scan("a"))).rejects.toBe(outage);
	expect(await valueOf('atelier_store_errors_total{op="get"}')).toBe(1);
	expect(await valueOf('atelier_store_errors_total{op="scan"}')).toBe(1);
	expect(await valueOf('atelier_store_errors_total{op="set"}')).toBe(0);
});

test("the polls of a task and the delay until its end is seen are measured once, also if the task is read again", async () => {
	const { clock, media, service, valueOf } = mediaSetup();
	await media.read("remote", requested, signal);
	await clock.advance(3_000);
	const finishedAtMs = clock.nowMs() - 2_000;
	service.answer = () => ({ state: "success", outputs: [], startedAtMs: null, finishedAtMs });
	await media.read("remote", requested, signal);
	await media.read("remote", requested, signal);
	expect(await valueOf("atelier_task_detection_lag_seconds_sum")).toBe(2);
	expect(await valueOf('atelier_polls_total{outcome="success"}')).toBe(2);
	expect(await valueOf("atelier_polls_per_task_sum")).toBe(2);
});

test("the polls of 100,000 open tasks are counted, each task after all others", async () => {
	const { media, service, valueOf } = mediaSetup();
	const remoteIds = Array.from({ length: 100_000 }, (_, n) => `remote ${n}`);
	const pollAll = async (): Promise<void> => {
		for (const remoteId of remoteIds) await media.read(remoteId, requested, signal);
	};
	await pollAll();
	service.answer = () => ({ state: "success", outputs: [], startedAtMs: null, finishedAtMs: null });
	await pollAll();
	expect(await valueOf("atelier_polls_per_task_sum")).toBe(200_000);
});

test("requests to the service are counted by outcome", async () => {
	const { media, valueOf } = mediaSetup();
	await expect(media.submit({} as never, "key", signal)).rejects.toThrow("no answer");
	await expect(media.models(signal)).rejects.toThrow("not reached");
	expect(await valueOf('atelier_media_api_requests_total{operation="submit",status="timeout"}')).toBe(1);
	expect(await valueOf('atelier_media_api_requests_total{operation="models",status="not_reached"}')).toBe(1);
});

test("the circuit breaker is open during an outage, and half open once a request may test the service", async () => {
	const { clock, media, service, valueOf } = mediaSetup();
	expect(media.health()).toStrictEqual({ state: "up" });
	expect(await valueOf("atelier_media_breaker_state")).toBe(0);
	service.health = { state: "down", sinceMs: 0, retryAtMs: clock.nowMs() + 2_000, reason: "away" };
	expect(await valueOf("atelier_media_breaker_state")).toBe(2);
	await clock.advance(2_000);
	expect(await valueOf("atelier_media_breaker_state")).toBe(1);
});
