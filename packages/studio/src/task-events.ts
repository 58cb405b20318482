import { once, type EventEmitter } from "node:events";
import type { Clock } from "@atelier/common/clock";
import { ApiError, CODES } from "./errors.ts";
import type { StudioLimits } from "./limits.ts";
import type { TaskReader } from "./task-reader.ts";
import { isEnded } from "./task.ts";

export interface TaskEvents {
	/**
	 * A task as it goes on, as server-sent events: its record now and after every change, until it has ended. Rejects with 404
	 * as a read does, and with 429 where too many are listening.
	 */
	follow(account: string, taskId: string, signal: AbortSignal): Promise<AsyncIterable<string>>;
	stop(): void;
}

export interface TaskEventsDeps {
	readonly reader: TaskReader;
	/** Emits the id of a task when something about it changes in this process. */
	readonly changes: EventEmitter;
	readonly clock: Clock;
	readonly limits: Pick<StudioLimits, "streamsMax" | "streamsPerAccountMax">;
}

/** So that nothing on the way takes the connection for dead; also how often what no change tells is read again. */
const HEARTBEAT_MS = 15_000;
/** Between two events: an engine may say how far it is as often as it likes. */
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

	/** Whether there was news before it was time for a sign of life. */
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
		/** Armed before each read, so that no change is lost between two. */
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
			// Whoever listened is gone, or we are.
			if (!signal.aborted) throw error;
		} finally {
			closed.abort();
		}
	}

	return {
		async follow(account, taskId, signal) {
			await reader.find(account, taskId);
			enter(account);
			// With the connection and not with the events: a client may be gone before it reads the first.
			if (signal.aborted) leave(account);
			else signal.addEventListener("abort", () => leave(account), { once: true });
			return events(account, taskId, signal);
		},
		stop: () => stopping.abort(new Error("the studio is stopping")),
	};
}
