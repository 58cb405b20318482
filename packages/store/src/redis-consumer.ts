import { createClient } from "@redis/client";

/** The longest time that a BullMQ worker blocks its connection before it checks again. */
export const CONSUMER_BLOCKS_S_MAX = 5;
/** The longest delay before a consumer connects again. */
export const CONSUMER_RETRY_MS_MAX = 2_000;
/** Longer than a worker blocks, so that only a dead connection times out. */
const SOCKET_TIMEOUT_MS = 20_000;
const PING_EVERY_MS = 5_000;

/** Creates the client of a BullMQ worker. It reconnects for as long as its connection is broken; producers fail instead. */
export function createConsumerClient(url: string, onError: (error: unknown) => void) {
	const client = createClient({
		url,
		pingInterval: PING_EVERY_MS,
		socket: {
			socketTimeout: SOCKET_TIMEOUT_MS,
			reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, CONSUMER_RETRY_MS_MAX),
		},
	});
	client.on("error", onError);
	listenToDuplicates(client, onError);
	return client;
}

/**
 * Keeps an error listener on every duplicate of a client. BullMQ removes its own when it closes one, and the error of a
 * pending ping would then be unhandled.
 */
function listenToDuplicates(
	client: { duplicate(): { on(event: "error", listener: (error: unknown) => void): unknown } },
	listener: (error: unknown) => void,
): void {
	const duplicate = client.duplicate.bind(client);
	client.duplicate = () => {
		const copy = duplicate();
		copy.on("error", listener);
		return copy;
	};
}
