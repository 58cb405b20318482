import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { RedisConnection } from "@atelier/store/redis-connection";

const CHANNEL = "atelier:studio:changed";

/** Notifies other processes of changed tasks. Lost notifications are found by reading the store. */
export interface ChangeNotices {
	tell(taskId: string): void;
	/** Calls back for changes of other processes from now on. */
	listen(hear: (taskId: string) => void): Promise<void>;
	close(): void;
}

export function createChangeNotices(connection: RedisConnection, logger: Logger): ChangeNotices {
	const me = randomUUID();
	const listener = connection.client.duplicate();
	listener.on("error", (error: unknown) => logger.debug({ err: error }, "change subscription failed"));

	return {
		tell(taskId) {
			connection
				.run((client) => client.publish(CHANNEL, `${me} ${taskId}`))
				.catch((error: unknown) => logger.debug({ err: error, taskId }, "change notification failed"));
		},
		async listen(hear) {
			await listener.connect();
			await listener.subscribe(CHANNEL, (message) => {
				const [from, taskId] = message.split(" ");
				if (from !== me && taskId !== undefined) hear(taskId);
			});
		},
		close() {
			if (listener.isOpen) listener.destroy();
		},
	};
}
