import { Readable } from "node:stream";
import { StudioApiError, CODES } from "./errors.ts";
import type { StudioContext } from "./studio-context.ts";
import type { TaskReader } from "./task-reader.ts";
import { isEnded } from "./studio-task.ts";

export type TaskEvents = ReturnType<typeof createTaskEvents>;

export interface TaskEventsDeps extends StudioContext {
	readonly reader: TaskReader;
}

/** The shortest interval between two events. Progress is not stored more often. */
const READ_INTERVAL_MS = 1000;
/** Keeps proxies from closing the connection. */
const HEARTBEAT_MS = 15_000;
const RETRY_AFTER_S = 5;

export function createTaskEvents({ reader, clock, limits }: TaskEventsDeps) {
	const stopping = new AbortController();
	/** The open streams with their account. */
	const streams = new Map<Readable, string>();

	async function* events(
		account: string,
		taskId: string,
		isAuthorized: () => Promise<boolean>,
	): AsyncGenerator<string> {
		let sent = "";
		let sentAtMs = clock.nowMs();
		while (!stopping.signal.aborted && (await isAuthorized())) {
			const task = await reader.find(account, taskId);
			const dto = JSON.stringify(await reader.dtoOf(task));
			if (dto !== sent || clock.nowMs() - sentAtMs >= HEARTBEAT_MS) {
				yield dto === sent ? ": heartbeat\n\n" : `event: task\ndata: ${dto}\n\n`;
				sent = dto;
				sentAtMs = clock.nowMs();
			}
			if (isEnded(task)) return;
			// A stop ends the loop, and so the response.
			await clock.sleep(READ_INTERVAL_MS, stopping.signal).catch(() => {});
		}
	}

	return {
		/**
		 * Streams a task as server-sent events: its record now and after changes, until it has ended or the key is no longer
		 * valid. Rejects with 404 like a read, and with 429 above the limit of streams.
		 */
		async follow(account: string, taskId: string, isAuthorized: () => Promise<boolean>): Promise<Readable> {
			await reader.find(account, taskId);
			const ofAccount = [...streams.values()].filter((each) => each === account).length;
			if (streams.size >= limits.streamsMax || ofAccount >= limits.streamsPerAccountMax) {
				const message = "too many event streams are open";
				throw new StudioApiError(CODES.tooManyStreams, message, { retryAfterS: RETRY_AFTER_S });
			}
			const stream = Readable.from(events(account, taskId, isAuthorized), { objectMode: false, highWaterMark: 1 });
			streams.set(stream, account);
			// Fastify destroys the stream of a client that has disconnected.
			stream.once("close", () => streams.delete(stream));
			return stream;
		},
		stop: (): void => stopping.abort(new Error("the studio is stopping")),
	};
}
