/**
 * The process and its event loop, under the names that prom-client and everybody's dashboards have for them. Measured here,
 * because what prom-client begins to observe it never lets go of, and its observers of garbage cost each collection.
 */
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { NO_LABELS, type Metrics } from "./metrics.ts";

/** Coarse: a timer that fires more often is a cost of its own. */
const LOOP_RESOLUTION_MS = 20;
const MICROSECONDS = 1e6;
const NANOSECONDS = 1e9;

/** Returns how to let go of what watches the event loop. */
export function measureProcess(metrics: Metrics): () => Promise<void> {
	const one = (name: string, help: string, read: () => number): void =>
		metrics.gauge(name, help, NO_LABELS, () => [{ labels: {}, value: read() }]);
	const total = (name: string, help: string, read: () => number): void =>
		metrics.total(name, help, NO_LABELS, () => [{ labels: {}, value: read() }]);

	total("process_cpu_user_seconds_total", "Processor time in user code.", () => process.cpuUsage().user / MICROSECONDS);
	total("process_cpu_system_seconds_total", "Processor time in the kernel.", () => {
		return process.cpuUsage().system / MICROSECONDS;
	});
	total("process_cpu_seconds_total", "Processor time.", () => {
		const { user, system } = process.cpuUsage();
		return (user + system) / MICROSECONDS;
	});
	const startedAtS = performance.timeOrigin / 1000;
	one("process_start_time_seconds", "When the process began, since the epoch.", () => startedAtS);
	one("process_resident_memory_bytes", "Memory that the process takes.", () => process.memoryUsage.rss());
	one("nodejs_heap_size_total_bytes", "Heap that V8 has.", () => process.memoryUsage().heapTotal);
	one("nodejs_heap_size_used_bytes", "Heap that V8 uses.", () => process.memoryUsage().heapUsed);
	one("nodejs_external_memory_bytes", "Memory outside the heap.", () => process.memoryUsage().external);
	one("nodejs_active_resources", "What keeps the event loop going.", () => process.getActiveResourcesInfo().length);
	metrics.gauge("nodejs_version_info", "The version of Node.", { version: { max: 1 } }, () => [
		{ labels: { version: process.version }, value: 1 },
	]);

	let before = performance.eventLoopUtilization();
	one(
		"nodejs_eventloop_utilization_ratio",
		"The part of its time that the loop was busy since the last scrape.",
		() => {
			const now = performance.eventLoopUtilization();
			const { utilization } = performance.eventLoopUtilization(now, before);
			before = now;
			return utilization;
		},
	);

	const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
	delay.enable();
	// Its timer alone is late by its own resolution: what is above that is lag.
	const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / NANOSECONDS - LOOP_RESOLUTION_MS / 1000);
	one("nodejs_eventloop_lag_p50_seconds", "How late half of all timers were at most, since the last scrape.", () => {
		return seconds(delay.percentile(50));
	});
	one("nodejs_eventloop_lag_p99_seconds", "How late ninety-nine in a hundred were at most.", () => {
		return seconds(delay.percentile(99));
	});
	one("nodejs_eventloop_lag_max_seconds", "How late the latest was.", () => {
		const latest = seconds(delay.max);
		delay.reset();
		return latest;
	});
	return async () => void delay.disable();
}
