import { createClient, ErrorReply } from "@redis/client";
import { createReachability } from "./reachability.ts";
import { redactedAddress } from "./redacted-address.ts";
import type { StoreDeps } from "./store-deps.ts";
import { StoreNotUsableError, StoreRejectedError, StoreUnavailableError } from "./store-errors.ts";

const DEFAULT_PORT = 6379;
const CONNECT_TIMEOUT_MS = 5000;
const RECONNECT_DELAY_MS_MAX = 2000;
/** Longer than `SYNC_TIMEOUT_MS` of redis-durability.ts: a wait for the disk blocks its whole connection. */
const RESPONSE_TIMEOUT_MS = 6000;
const AUTHENTICATION_FAILURE = /^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH|ERR invalid password)/;

type Client = ReturnType<typeof newClient>;

export type RedisConnection = Awaited<ReturnType<typeof connectToRedis>>;

const VARIABLES = { store: "STORE_URL", queue: "QUEUE_URL" } as const;

interface RedisDeps extends StoreDeps {
	readonly role?: keyof typeof VARIABLES;
}

/** Connects to Redis or Valkey, and reconnects automatically. Throws a `StoreNotUsableError` that says what to check. */
export async function connectToRedis(
	url: string,
	{ logger, responseTimeoutMs = RESPONSE_TIMEOUT_MS, role = "store" }: RedisDeps,
) {
	const address = redactedAddress(url, DEFAULT_PORT);
	const variable = VARIABLES[role];
	let connectionCount = 0;
	const reachability = createReachability(role, address, logger);
	let isClosed = false;

	// The first connection must succeed; only later ones are retried.
	const client = newClient(url, responseTimeoutMs, (retries, cause) =>
		connectionCount === 0 ? cause : Math.min(50 * 2 ** retries, RECONNECT_DELAY_MS_MAX),
	);
	client.on("ready", () => {
		connectionCount += 1;
		reachability.responded();
	});
	function lost(error: unknown): void {
		// The first failure is thrown.
		if (connectionCount > 0) reachability.lost(error);
	}
	client.on("error", lost);

	try {
		await client.connect();
		// A server that requires a password accepts the connection and rejects the first command.
		await client.ping();
	} catch (error) {
		if (client.isOpen) client.destroy();
		throw new StoreNotUsableError(startupAdvice(error, address, variable), { cause: error });
	}

	/** A server can be gone without closing the connection. Only a new connection shows if it is reachable. */
	function replaceConnection(): void {
		if (isClosed || !client.isReady) return;
		client.destroy();
		client.connect().catch(lost);
	}

	return {
		address,
		/** The configuration variable that names the server. */
		variable,
		client,
		/** The number of connections that the client has opened so far. */
		connectionCount: () => connectionCount,
		/** Runs a command with a timeout. While disconnected, it fails immediately and sends nothing later. */
		async run<T>(command: (client: Client) => Promise<T>): Promise<T> {
			if (isClosed) throw new StoreUnavailableError(`the connection to Redis at ${address} is closed`);
			const { promise: timeout, reject } = Promise.withResolvers<never>();
			const timer = setTimeout(() => {
				reject(new StoreUnavailableError(`Redis at ${address} did not respond within ${responseTimeoutMs} ms`));
				replaceConnection();
			}, responseTimeoutMs);
			try {
				return await Promise.race([command(client), timeout]);
			} catch (error) {
				throw storeErrorOf(error, address);
			} finally {
				clearTimeout(timer);
			}
		},
		close(): void {
			isClosed = true;
			if (client.isOpen) client.destroy();
		},
	};
}

function newClient(
	url: string,
	responseTimeoutMs: number,
	reconnectStrategy: (retries: number, cause: Error) => Error | number,
) {
	return createClient({
		url,
		// Queued commands would be sent after a reconnect, long after their caller has received an error.
		disableOfflineQueue: true,
		// A server may accept a connection and never respond to its greeting, which no other timeout covers. Pings keep
		// idle connections alive.
		pingInterval: responseTimeoutMs / 2,
		socket: { connectTimeout: CONNECT_TIMEOUT_MS, socketTimeout: responseTimeoutMs, reconnectStrategy },
	});
}

function storeErrorOf(error: unknown, address: string): Error {
	if (error instanceof StoreUnavailableError) return error;
	if (error instanceof ErrorReply) {
		return new StoreRejectedError(`Redis at ${address} rejected the command: ${error.message}`, { cause: error });
	}
	return new StoreUnavailableError(`Redis at ${address} did not respond`, { cause: error });
}

function startupAdvice(error: unknown, address: string, variable: string): string {
	for (let cause = error; cause instanceof Error; cause = cause.cause ?? originalErrorOf(cause)) {
		if (AUTHENTICATION_FAILURE.test(cause.message)) {
			return `Redis at ${address} rejects the user or the password in ${variable}.`;
		}
		if (cause instanceof ErrorReply) return `Redis at ${address} rejects the connection: ${cause.message}`;
	}
	return `cannot reach Redis at ${address}. Is it running?`;
}

/** The client wraps the last failure when it stops reconnecting. */
function originalErrorOf(error: Error): unknown {
	return "originalError" in error ? error.originalError : undefined;
}
