import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { withMediaApiMetrics } from "../../src/metrics/media-api-metrics.ts";
import { withStoreMetrics } from "../../src/metrics/store-metrics.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";
import { MediaTimeoutError, MediaUnavailableError, type MediaApi } from "../../src/services/generation/media-api.ts";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";
import { openStore } from "@atelier/store/open-store";
import { runningRemoteTask } from "../fakes/fake-media-api.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

function setup() {
	const metrics = createMetrics({ logger: pino({ level: "silent" }) });
	/** The values of all series whose name begins so. */
	async function valuesOf(name: string): Promise<Readonly<Record<string, number>>> {
		const lines = (await metrics.scrape()).split("\n").filter((line) => line.startsWith(name));
		return Object.fromEntries(
			lines.map((line) => line.split(/ (?=[\d.]+$)/)).map(([key, value]) => [key, Number(value)]),
		);
	}
	const valueOf = async (series: string) => (await valuesOf(series))[series];
	return { metrics, valuesOf, valueOf };
}

describe("a metric", () => {
	test("starts at 0 for its known labels, which makes the first event an increase, and counts others as other", async () => {
		const { metrics, valuesOf } = setup();
		const counter = metrics.counter("things_total", "Things.", { kind: ["one", "two"] });
		expect(await valuesOf("things_total")).toStrictEqual({
			'things_total{kind="one"}': 0,
			'things_total{kind="two"}': 0,
		});
		counter.add({ kind: "two" }, 3);
		for (let id = 0; id < 100; id++) counter.add({ kind: `guild ${id}` });
		expect(await valuesOf("things_total")).toStrictEqual({
			'things_total{kind="one"}': 0,
			'things_total{kind="two"}': 3,
			'things_total{kind="other"}': 100,
		});
	});

	test("has a maximum number of values for a label without fixed ones", async () => {
		const { metrics, valuesOf } = setup();
		const spread = metrics.histogram("sizes", "Sizes.", { model: { max: 2 } }, [1]);
		for (const model of ["a", "b", "c", "d", "a", "x".repeat(1000)]) spread.observe({ model }, 0.5);
		expect(await valuesOf("sizes_count")).toStrictEqual({
			'sizes_count{model="a"}': 2,
			'sizes_count{model="b"}': 1,
			'sizes_count{model="other"}': 3,
		});
	});

	test("of unknown value is not shown, and hides no other", async () => {
		const { metrics, valuesOf } = setup();
		metrics.value("a_known", "Known.", () => 7);
		metrics.value("a_unknown", "Not known.", () => undefined);
		metrics.value("a_failing", "Fails.", () => Promise.reject(new Error("the store is away")));
		expect(await valuesOf("a_")).toStrictEqual({ a_known: 7 });
	});
});

describe("the metrics of the store", () => {
	test("count a change that lost a race as a retry, and not the creation of an existing document", async () => {
		const { metrics, valueOf } = setup();
		const store = withStoreMetrics(await openStore("memory:"), metrics);
		const raw = await store.compareAndSet("a", undefined, 1);
		await store.compareAndSet("a", undefined, 2);
		expect(await valueOf("atelier_store_cas_retries_total")).toBe(0);
		await store.compareAndSet("a", raw, 2);
		await store.compareAndSet("a", raw, 3);
		expect(await valueOf("atelier_store_cas_retries_total")).toBe(1);
		expect(await valueOf('atelier_store_operation_seconds_count{op="compareAndSet"}')).toBe(4);
	});

	test("count a failed operation by name, and rethrow its error", async () => {
		const { metrics, valueOf } = setup();
		const outage = new Error("the store is unavailable");
		const broken = {
			...(await openStore("memory:")),
			get: () => Promise.reject(outage),
			// oxlint-disable-next-line require-yield -- it fails before it finds anything
			async *scan() {
				throw outage;
			},
		};
		const store = withStoreMetrics(broken, metrics);
		await expect(store.get("a")).rejects.toBe(outage);
		await expect(Array.fromAsync(store.scan("a"))).rejects.toBe(outage);
		const counts = ["get", "scan", "set"].map((op) => valueOf(`atelier_store_errors_total{op="${op}"}`));
		expect(await Promise.all(counts)).toStrictEqual([1, 1, 0]);
	});
});

const notReached = (): Promise<never> => Promise.reject(new MediaUnavailableError("not reached"));
const finishedAt = (finishedAtMs: number | null) =>
	({ state: "success", outputs: [], startedAtMs: null, finishedAtMs }) as const;

function setupMedia() {
	const clock = createManualClock();
	const { metrics, valueOf } = setup();
	const service = {
		answer: runningRemoteTask as RemoteTask,
		health: { state: "up" } as ReturnType<MediaApi["health"]>,
	};
	const media = withMediaApiMetrics(
		{
			origin: "http://media.test",
			honorsIdempotencyKey: false,
			submitTimeoutMs: 15_000,
			submit: () => Promise.reject(new MediaTimeoutError("no answer")),
			read: async () => service.answer,
			cancel: notReached,
			find: notReached,
			submitDelayMs: () => 0,
			models: notReached,
			health: () => service.health,
		},
		{ metrics, clock, pollsPerSecond: () => 2 },
	);
	return { clock, media, service, valueOf };
}

describe("the metrics of the media service", () => {
	const requested = { mediaType: "image", options: {}, prompt: "" } as const;
	const { signal } = new AbortController();

	test("measure the polls of a task and the delay until its end is seen once, also if the task is read again", async () => {
		const { clock, media, service, valueOf } = setupMedia();
		await media.read("remote", requested, signal);
		await clock.advance(3_000);
		service.answer = finishedAt(clock.nowMs() - 2_000);
		await media.read("remote", requested, signal);
		await media.read("remote", requested, signal);
		expect(await valueOf("atelier_task_detection_lag_seconds_sum")).toBe(2);
		expect(await valueOf('atelier_polls_total{outcome="success"}')).toBe(2);
		expect(await valueOf("atelier_polls_per_task_sum")).toBe(2);
	});

	test("count the polls of 100,000 open tasks, each task after all others", async () => {
		const { media, service, valueOf } = setupMedia();
		for (const answer of [runningRemoteTask, finishedAt(null)]) {
			service.answer = answer;
			for (let n = 0; n < 100_000; n++) await media.read(`remote ${n}`, requested, signal);
		}
		expect(await valueOf("atelier_polls_per_task_sum")).toBe(200_000);
	});

	test("count requests by outcome", async () => {
		const { media, valueOf } = setupMedia();
		await expect(media.submit({} as never, "key", signal)).rejects.toThrow("no answer");
		await expect(media.models(signal)).rejects.toThrow("not reached");
		expect(await valueOf('atelier_media_api_requests_total{operation="submit",status="timeout"}')).toBe(1);
		expect(await valueOf('atelier_media_api_requests_total{operation="models",status="not_reached"}')).toBe(1);
	});

	test("show an open circuit breaker during an outage, and a half open one once a request may test the service", async () => {
		const { clock, media, service, valueOf } = setupMedia();
		expect(media.health()).toStrictEqual({ state: "up" });
		expect(await valueOf("atelier_media_breaker_state")).toBe(0);
		service.health = { state: "down", sinceMs: 0, retryAtMs: clock.nowMs() + 2_000, reason: "away" };
		expect(await valueOf("atelier_media_breaker_state")).toBe(2);
		await clock.advance(2_000);
		expect(await valueOf("atelier_media_breaker_state")).toBe(1);
	});
});
