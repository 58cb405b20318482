import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";
import {
	MediaHttpError,
	MediaRejectedError,
	MediaTimeoutError,
	MediaUnavailableError,
	type MediaApi,
	type ServiceHealth,
} from "../services/generation/media-api.ts";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";
import { NO_LABELS, type Metrics } from "./metrics.ts";

const OPERATIONS = ["submit", "read", "cancel", "find", "models"] as const;
/**
 * `not_sent`: the bot held the request back, because the circuit breaker is open or a rate limit of the service has not passed.
 * `busy`: the service reported a rate limit, or asked for a later retry. `failed`: the response is not valid. `cut_off`: the
 * bot aborted the request, for example because it stops.
 */
const STATUSES = ["ok", "rejected", "busy", "not_reached", "not_sent", "timeout", "failed", "cut_off"] as const;
type Status = (typeof STATUSES)[number];
/** `no_state`: the poll was rejected, its response was not valid, or it was not sent. */
const POLL_OUTCOMES = ["open", "success", "failed", "no_state"] as const;
const BREAKER_STATES = { closed: 0, halfOpen: 1, open: 2 } as const;
/** Room for 100,000 open tasks, and for the latest ended ones. */
const POLL_COUNTS_MAX = 120_000;
/** In seconds. */
const LAG_BUCKETS = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;
const POLLS_BUCKETS = [1, 2, 3, 5, 8, 13, 20, 35, 60, 120] as const;
/** A longer delay is not counted: no process ran, or the clock of the service is wrong. */
const LAG_MS_MAX = 24 * 60 * 60 * 1000;

interface MediaApiMetricsDeps {
	readonly metrics: Metrics;
	readonly clock: Clock;
	/** The polls per second that this process may send. */
	readonly pollsPerSecond: () => number;
}

/** Measures the requests to a media service, the delay until a finished task is seen, and the circuit breaker. */
export function withMediaApiMetrics(
	media: MediaApi,
	{ metrics, clock, pollsPerSecond }: MediaApiMetricsDeps,
): MediaApi {
	const requests = metrics.counter("atelier_media_api_requests_total", "Requests to the media service, by outcome.", {
		operation: OPERATIONS,
		status: STATUSES,
	});
	const polls = metrics.counter("atelier_polls_total", "Polls of tasks at the media service.", {
		outcome: POLL_OUTCOMES,
	});
	const lag = metrics.histogram(
		"atelier_task_detection_lag_seconds",
		"From the end of a task, by the service's clock, to the poll that found it.",
		NO_LABELS,
		LAG_BUCKETS,
	);
	const pollsPerTask = metrics.histogram(
		"atelier_polls_per_task",
		"Polls of a task until its end.",
		NO_LABELS,
		POLLS_BUCKETS,
	);
	metrics.value(
		"atelier_poll_budget_per_second",
		"Polls that this process may send in a second, on average.",
		pollsPerSecond,
	);
	metrics.value(
		"atelier_media_breaker_state",
		"State of the circuit breaker for the media service: 0 closed, 1 half open, 2 open.",
		() => BREAKER_STATES[breakerStateOf(media.health(), clock.nowMs())],
	);
	/** Polls by remote id; 0 once the task has ended. */
	// With `max`, it would allocate all entries at once.
	const pollCounts = new LRUCache<string, number>({ maxSize: POLL_COUNTS_MAX, sizeCalculation: () => 1 });

	function recordPoll(remoteId: string, remote: RemoteTask): void {
		polls.add({ outcome: remote.state });
		const before = pollCounts.get(remoteId);
		// A finished task can be read again for a fresh link.
		if (before === 0) return;
		const count = (before ?? 0) + 1;
		pollCounts.set(remoteId, remote.state === "open" ? count : 0);
		if (remote.state === "open") return;
		pollsPerTask.observe({}, count);
		if (remote.state !== "success" || remote.finishedAtMs === null) return;
		const lagMs = clock.nowMs() - remote.finishedAtMs;
		if (lagMs < LAG_MS_MAX) lag.observe({}, lagMs / 1000);
	}

	async function countOutcome<T>(operation: (typeof OPERATIONS)[number], work: Promise<T>): Promise<T> {
		try {
			const answer = await work;
			requests.add({ operation, status: "ok" });
			return answer;
		} catch (error) {
			requests.add({ operation, status: statusOf(error) });
			throw error;
		}
	}

	return {
		origin: media.origin,
		honorsIdempotencyKey: media.honorsIdempotencyKey,
		submitTimeoutMs: media.submitTimeoutMs,
		health: () => media.health(),
		submitDelayMs: () => media.submitDelayMs(),
		submit: (...given) => countOutcome("submit", media.submit(...given)),
		cancel: (...given) => countOutcome("cancel", media.cancel(...given)),
		find: (...given) => countOutcome("find", media.find(...given)),
		models: (...given) => countOutcome("models", media.models(...given)),
		async read(remoteId, ...given) {
			try {
				const remote = await countOutcome("read", media.read(remoteId, ...given));
				recordPoll(remoteId, remote);
				return remote;
			} catch (error) {
				polls.add({ outcome: "no_state" });
				throw error;
			}
		},
	};
}

function breakerStateOf(health: ServiceHealth, nowMs: number): keyof typeof BREAKER_STATES {
	if (health.state === "up") return "closed";
	return nowMs >= health.retryAtMs ? "halfOpen" : "open";
}

function statusOf(error: unknown): Status {
	if (error instanceof MediaRejectedError) return "rejected";
	if (error instanceof MediaTimeoutError) return "timeout";
	if (error instanceof MediaHttpError) return "failed";
	if (!(error instanceof MediaUnavailableError)) return "cut_off";
	if (error.isSuppressed) return "not_sent";
	return error.kind === "asked_to_wait" || error.kind === "rate_limited" ? "busy" : "not_reached";
}
