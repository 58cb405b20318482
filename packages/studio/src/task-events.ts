import { once, type EventEmitter } from "node:events";
import type { Clock } from "@atelier/common/clock";
import { ApiError, CODES } from "./errors.ts";
import type { StudioLimits } from "./limits.ts";
import type { TaskReader } from "./task-reader.ts";
import { isEnded } from "./task.ts";

export interface TaskEvents {
	/**
	 * Streams a task as server-sent events: its record now and after every change, until it has ended. Rejects with 404
	 * like a read, and with 429 above the limit of streams.
	 */
	follow(account: string, taskId: string, signal: AbortSignal): Promise<AsyncIterable<string>>;
	stop(): void;
}

export interface TaskEventsDeps {
	readonly reader: TaskReader;
	/** Emits the id of a task that changed in this process. */
	readonly changes: EventEmitter;
	readonly clock: Clock;
	readonly limits: Pick<StudioLimits, "streamsMax" | "streamsPerAccountMax">;
}

/** Keeps proxies from closing the connection; also the interval of reads for changes in other processes. */
const HEARTBEAT_MS = 15_000;
/** The minimum time between two events: engines may report progress at any rate. */
const GAP_MS = 250;
const RETRY_AFTER_S = 5;

export function createTaskEvents({ reader, changes, clock, limits }: TaskEventsDeps): TaskEvents {
	const stopping = new AbortController();
	const streams = new Map<string, number>();
	let all = 0;

	function enter(account: string): void {
		const mine = streams.get(account) ?? 0;
		if (all >= limits.streamsMax || mine >= limits.streamsPerAccountMax) {
			const headers = { "retry-after": String(RETRY_AFTER_S) };
			throw new ApiError(CODES.tooManyStreams, "too many event streams are open", { headers });
		}
		streams.set(account, mine + 1);
		all += 1;
	}

	function leave(account: string): void {
		const left = (streams.get(account) ?? 1) - 1;
		if (left > 0) streams.set(account, left);
		else streams.delete(account);
		all -= 1;
	}

	/** Resolves to whether the task changed before the next heartbeat. */
	async function newsOrHeartbeat(news: Promise<void>, signal: AbortSignal): Promise<boolean> {
		const heard = new AbortController();
		const heartbeat = clock.sleep(HEARTBEAT_MS, AbortSignal.any([signal, heard.signal])).then(() => false);
		try {
			return await Promise.race([news.then(() => true), heartbeat]);
		} finally {
			heard.abort();
			heartbeat.catch(() => {});
		}
	}

	async function* events(account: string, taskId: string, given: AbortSignal): AsyncGenerator<string> {
		const signal = AbortSignal.any([given, stopping.signal]);
		const closed = new AbortController();
		/** Subscribes before each read, so that no change is lost in between. */
		const nextChange = async (): Promise<void> => {
			await once(changes, taskId, { signal: closed.signal }).catch(() => {});
		};
		try {
			let news = nextChange();
			for (let shown = ""; ;) {
				const task = await reader.find(account, taskId);
				const record = JSON.stringify(await reader.recordOf(task, true));
				if (record !== shown) yield `event: task\ndata: ${record}\n\n`;
				shown = record;
				if (isEnded(task)) return;
				await clock.sleep(GAP_MS, signal);
				if (await newsOrHeartbeat(news, signal)) news = nextChange();
				else yield ": still there\n\n";
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
			enter(account);
			// Bound to the connection, because a client may disconnect before it reads the first event.
			if (signal.aborted) leave(account);
			else signal.addEventListener("abort", () => leave(account), { once: true });
			return events(account, taskId, signal);
		},
		stop: () => stopping.abort(new Error("the studio is stopping")),
	};
}
