import { createClient, ErrorReply } from "@redis/client";
import { addressOf } from "./store-address.ts";
import type { StoreDeps } from "./store-deps.ts";
import { StoreNotUsableError, StoreRefusedError, StoreUnavailableError } from "./store-errors.ts";

const DEFAULT_PORT = 6379;
const CONNECT_TIMEOUT_MS = 5000;
const RECONNECT_DELAY_MS_MAX = 2000;
/** Longer than a wait for the disk takes (see redis-durability.ts), which holds up its whole connection. */
const ANSWER_TIMEOUT_MS = 6000;
const REFUSED_AT_THE_DOOR = /^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH|ERR invalid password)/;

type Client = ReturnType<typeof newClient>;

/** A connection to Redis or Valkey that reconnects automatically. */
export interface RedisConnection {
	readonly address: string;
	readonly client: Client;
	/** Increases with each new connection of the same client. */
	readonly epoch: () => number;
	/** Runs a command with a timeout. While disconnected, it fails immediately and sends nothing later. */
	run<T>(ask: (client: Client) => Promise<T>): Promise<T>;
	close(): void;
}

/** The variable for each role of the server. */
const VARIABLES = { store: "STORE_URL", queue: "QUEUE_URL" } as const;

interface RedisDeps extends StoreDeps {
	readonly role?: keyof typeof VARIABLES;
}

/** Connects, or throws a `StoreNotUsableError` that says what to check. */
export async function connectToRedis(
	url: string,
	{ logger, answerTimeoutMs = ANSWER_TIMEOUT_MS, role = "store" }: RedisDeps,
): Promise<RedisConnection> {
	const address = addressOf(url, DEFAULT_PORT);
	let epoch = 0;
	let isBroken = false;
	let isClosed = false;

	// The first connection must succeed; only later ones are retried.
	const client = newClient(url, answerTimeoutMs, (retries, cause) =>
		epoch === 0 ? cause : Math.min(50 * 2 ** retries, RECONNECT_DELAY_MS_MAX),
	);
	client.on("ready", () => {
		epoch += 1;
		if (isBroken) logger.info({ address }, `${role} reachable again`);
		isBroken = false;
	});
	function lost(error: unknown): void {
		// The first failure is thrown, and later attempts after a disconnect are not logged.
		if (epoch > 0 && !isBroken) logger.warn({ address, err: error }, `${role} connection lost`);
		isBroken = true;
	}
	client.on("error", lost);

	try {
		await client.connect();
		// A server that requires a password accepts connections and rejects the first command.
		await client.ping();
	} catch (error) {
		if (client.isOpen) client.destroy();
		throw new StoreNotUsableError(whyNot(error, address, VARIABLES[role]), { cause: error });
	}

	/** An unresponsive server may be gone without closing the connection: only a new connection can tell. */
	function replaceConnection(): void {
		if (isClosed || !client.isReady) return;
		client.destroy();
		client.connect().catch(lost);
	}

	return {
		address,
		client,
		epoch: () => epoch,
		async run(ask) {
			if (isClosed) throw new StoreUnavailableError(`the connection to Redis at ${address} is closed`);
			const { promise: silence, reject } = Promise.withResolvers<never>();
			const timer = setTimeout(() => {
				reject(new StoreUnavailableError(`Redis at ${address} did not respond within ${answerTimeoutMs} ms`));
				replaceConnection();
			}, answerTimeoutMs);
			try {
				return await Promise.race([ask(client), silence]);
			} catch (error) {
				throw failureOf(error, address);
			} finally {
				clearTimeout(timer);
			}
		},
		close() {
			isClosed = true;
			if (client.isOpen) client.destroy();
		},
	};
}

/**
 * Keeps an error listener on every duplicate of a client. BullMQ removes its own when it closes one, and the error of a
 * pending ping would then be unhandled.
 */
export function listenToDuplicates(
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

function newClient(
	url: string,
	answerTimeoutMs: number,
	reconnectStrategy: (retries: number, cause: Error) => Error | number,
) {
	return createClient({
		url,
		// Queued commands would be sent after a reconnect, long after their caller has received an error.
		disableOfflineQueue: true,
		// A server may accept a connection and never respond to its greeting, which no other timeout covers. Pings keep
		// idle connections alive.
		pingInterval: answerTimeoutMs / 2,
		socket: { connectTimeout: CONNECT_TIMEOUT_MS, socketTimeout: answerTimeoutMs, reconnectStrategy },
	});
}

function failureOf(error: unknown, address: string): Error {
	if (error instanceof StoreUnavailableError) return error;
	if (error instanceof ErrorReply) {
		return new StoreRefusedError(`Redis at ${address} rejects the connection: ${error.message}`, { cause: error });
	}
	return new StoreUnavailableError(`Redis at ${address} did not respond`, { cause: error });
}

function whyNot(error: unknown, address: string, variable: string): string {
	for (let each = error; each instanceof Error; each = each.cause ?? originalOf(each)) {
		if (REFUSED_AT_THE_DOOR.test(each.message)) {
			return `Redis at ${address} refuses the user or the password in ${variable}.`;
		}
		if (each instanceof ErrorReply) return `Redis at ${address} refuses the connection: ${each.message}`;
	}
	return `cannot reach Redis at ${address}. Is it running?`;
}

/** Returns the cause that the client wrapped when it gave up. */
function originalOf(error: Error): unknown {
	return "originalError" in error ? error.originalError : undefined;
}
