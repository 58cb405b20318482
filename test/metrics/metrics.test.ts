import { pino } from "pino";
import { expect, test } from "vitest";
import { createMetrics, NO_LABELS } from "../../src/metrics/metrics.ts";

const setup = () => createMetrics({ logger: pino({ level: "silent" }) });

async function linesOf(metrics: ReturnType<typeof setup>, name: string): Promise<readonly string[]> {
	return (await metrics.scrape()).split("\n").filter((line) => line.startsWith(name));
}

test("series with known labels start at 0, which makes the first event an increase", async () => {
	const metrics = setup();
	const counter = metrics.counter("things_total", "Things.", { kind: ["one", "two"] });
	expect(await linesOf(metrics, "things_total")).toStrictEqual([
		'things_total{kind="one"} 0',
		'things_total{kind="two"} 0',
	]);
	counter.add({ kind: "two" }, 3);
	expect(await linesOf(metrics, "things_total")).toContain('things_total{kind="two"} 3');
});

test("an undeclared label value is counted as other", async () => {
	const metrics = setup();
	const counter = metrics.counter("things_total", "Things.", { kind: ["one"] });
	for (let id = 0; id < 100; id++) counter.add({ kind: `guild ${id}` });
	expect(await linesOf(metrics, "things_total")).toStrictEqual([
		'things_total{kind="one"} 0',
		'things_total{kind="other"} 100',
	]);
});

test("a label without fixed values has a maximum number of values", async () => {
	const metrics = setup();
	const spread = metrics.histogram("sizes", "Sizes.", { model: { max: 2 } }, [1]);
	for (const model of ["a", "b", "c", "d", "a", "x".repeat(1000)]) spread.observe({ model }, 0.5);
	expect(await linesOf(metrics, "sizes_count")).toStrictEqual([
		'sizes_count{model="a"} 2',
		'sizes_count{model="b"} 1',
		'sizes_count{model="other"} 3',
	]);
});

test("an unknown metric value is not shown, and hides no other", async () => {
	const metrics = setup();
	metrics.value("known", "Known.", () => 7);
	metrics.value("unknown", "Not known.", () => undefined);
	metrics.value("failing", "Fails.", () => Promise.reject(new Error("the store is away")));
	expect(await linesOf(metrics, "known")).toStrictEqual(["known 7"]);
	expect(await linesOf(metrics, "unknown")).toStrictEqual([]);
	expect(await linesOf(metrics, "failing")).toStrictEqual([]);
});

test("two metrics objects in one process share no counters", async () => {
	const [one, other] = [setup(), setup()];
	one.counter("things_total", "Things.", NO_LABELS).add({});
	other.counter("things_total", "Things.", NO_LABELS);
	expect(await linesOf(other, "things_total")).toStrictEqual(["things_total 0"]);
});
