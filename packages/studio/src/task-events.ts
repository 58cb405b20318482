import { once, type EventEmitter } from "node:events";
import type { Clock } from "@atelier/common/clock";
import { ApiError, CODES } from "./errors.ts";
import type { StudioLimits } from "./limits.ts";
import type { TaskReader } from "./task-reader.ts";
import { isEnded } from "./task.ts";

export interface TaskEvents {
	/**
	 * Streams a task as server-sent events: its record now and after changes, at most four times a second, until it has
	 * ended. Rejects with 404 like a read, and with 429 above the limit of streams.
	 */
	follow(account: string, taskId: string, signal: AbortSignal): Promise<AsyncIterable<string>>;
	stop(): void;
}

export interface TaskEventsDeps {
	readonly reader: TaskReader;
	/** Emits the id of a task that changed, in this process or, if a notification arrives, in another one. */
	readonly changes: EventEmitter;
	readonly clock: Clock;
	readonly limits: Pick<StudioLimits, "streamsMax" | "streamsPerAccountMax">;
}

/** Keeps proxies from closing the connection; also the interval of reads for changes without a notification. */
const HEARTBEAT_MS = 15_000;
/** The minimum time between two events: engines may report progress at any rate. */
const EVENT_INTERVAL_MS_MIN = 250;
const RETRY_AFTER_S = 5;

export function createTaskEvents({ reader, changes, clock, limits }: TaskEventsDeps): TaskEvents {
	const stopping = new AbortController();
	const streams = new Map<string, number>();
	let openStreams = 0;

	function openStream(account: string): void {
		const streamsOfAccount = streams.get(account) ?? 0;
		if (openStreams >= limits.streamsMax || streamsOfAccount >= limits.streamsPerAccountMax) {
			throw new ApiError(CODES.tooManyStreams, "too many event streams are open", { retryAfterS: RETRY_AFTER_S });
		}
		streams.set(account, streamsOfAccount + 1);
		openStreams += 1;
	}

	function closeStream(account: string): void {
		const remainingStreams = (streams.get(account) ?? 1) - 1;
		if (remainingStreams > 0) streams.set(account, remainingStreams);
		else streams.delete(account);
		openStreams -= 1;
	}

	/** Resolves to whether the task changed before the next heartbeat. */
	async function changeOrHeartbeat(change: Promise<void>, signal: AbortSignal): Promise<boolean> {
		const heartbeatAbort = new AbortController();
		const heartbeat = clock.sleep(HEARTBEAT_MS, AbortSignal.any([signal, heartbeatAbort.signal])).then(() => false);
		try {
			return await Promise.race([change.then(() => true), heartbeat]);
		} finally {
			heartbeatAbort.abort();
			heartbeat.catch(() => {});
		}
	}

	async function* events(account: string, taskId: string, clientSignal: AbortSignal): AsyncGenerator<string> {
		const signal = AbortSignal.any([clientSignal, stopping.signal]);
		const closed = new AbortController();
		/** Subscribes before each read, so that no change is lost in between. */
		const nextChange = async (): Promise<void> => {
			await once(changes, taskId, { signal: closed.signal }).catch(() => {});
		};
		try {
			let change = nextChange();
			let lastDto = "";
			for (;;) {
				const task = await reader.find(account, taskId);
				const dto = JSON.stringify(await reader.dtoOf(task));
				if (dto !== lastDto) yield `event: task\ndata: ${dto}\n\n`;
				lastDto = dto;
				if (isEnded(task)) return;
				await clock.sleep(EVENT_INTERVAL_MS_MIN, signal);
				if (await changeOrHeartbeat(change, signal)) change = nextChange();
				else yield ": heartbeat\n\n";
			}
		} catch (error) {
			// The client has disconnected, or the studio is stopping.
			if (!signal.aborted) throw error;
		} finally {
			closed.abort();
		}
	}

	return {
		async follow(account, taskId, signal) {
			await reader.find(account, taskId);
			openStream(account);
			// Bound to the connection, because a client may disconnect before it reads the first event.
			if (signal.aborted) closeStream(account);
			else signal.addEventListener("abort", () => closeStream(account), { once: true });
			return events(account, taskId, signal);
		},
		stop: () => stopping.abort(new Error("the studio is stopping")),
	};
}
