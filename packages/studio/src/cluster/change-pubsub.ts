import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { RedisConnection } from "@atelier/store/redis-connection";

const CHANNEL = "atelier:studio:changed";

/** Who changed a task tells the other processes. What is lost on the way is seen by whoever reads the store. */
export interface ChangeNotices {
	tell(taskId: string): void;
	/** Hears of what others have changed, from now on. */
	listen(hear: (taskId: string) => void): Promise<void>;
	close(): void;
}

export function createChangeNotices(connection: RedisConnection, logger: Logger): ChangeNotices {
	const me = randomUUID();
	const listener = connection.client.duplicate();
	listener.on("error", (error: unknown) => logger.debug({ err: error }, "changes of other processes not heard"));

	return {
		tell(taskId) {
			connection
				.run((client) => client.publish(CHANNEL, `${me} ${taskId}`))
				.catch((error: unknown) => logger.debug({ err: error, taskId }, "change not told to other processes"));
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
