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

/** One connection to Redis or Valkey, which comes back by itself after it broke. */
export interface RedisConnection {
	readonly address: string;
	readonly client: Client;
	/** Rises with each new connection behind the same client. */
	readonly epoch: () => number;
	/** Asks, and waits for a bounded time. While the connection is broken it fails at once, and nothing is sent later. */
	run<T>(ask: (client: Client) => Promise<T>): Promise<T>;
	close(): void;
}

/** What the server is there for, and the variable that names it. */
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

	// The first connection is there or not; only one that was there is worth waiting for.
	const client = newClient(url, answerTimeoutMs, (retries, cause) =>
		epoch === 0 ? cause : Math.min(50 * 2 ** retries, RECONNECT_DELAY_MS_MAX),
	);
	client.on("ready", () => {
		epoch += 1;
		if (isBroken) logger.info({ address }, `${role} reached again`);
		isBroken = false;
	});
	function lost(error: unknown): void {
		// The first attempt's failure is thrown; attempts that follow the first break say nothing new.
		if (epoch > 0 && !isBroken) logger.warn({ address, err: error }, `${role} connection lost`);
		isBroken = true;
	}
	client.on("error", lost);

	try {
		await client.connect();
		// A server that wants a password lets everybody in, and refuses the first question.
		await client.ping();
	} catch (error) {
		if (client.isOpen) client.destroy();
		throw new StoreNotUsableError(whyNot(error, address, VARIABLES[role]), { cause: error });
	}

	/** A server that says nothing may have gone without a word: only a new connection can tell. */
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
				reject(new StoreUnavailableError(`Redis at ${address} gave no answer in ${answerTimeoutMs} ms`));
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
 * Keeps a listener on every copy of a client. BullMQ removes its own when it closes a copy, and a ping that was under way
 * then goes on: without a listener its error would be an unhandled rejection.
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
		// What waits for a connection would be sent whenever that comes back, long after its caller was told that it failed.
		disableOfflineQueue: true,
		// A server may take a connection and then say nothing to its greeting, which no other timeout covers. The pings
		// keep a connection alive that merely has nothing to do.
		pingInterval: answerTimeoutMs / 2,
		socket: { connectTimeout: CONNECT_TIMEOUT_MS, socketTimeout: answerTimeoutMs, reconnectStrategy },
	});
}

function failureOf(error: unknown, address: string): Error {
	if (error instanceof StoreUnavailableError) return error;
	if (error instanceof ErrorReply) {
		return new StoreRefusedError(`Redis at ${address} refuses: ${error.message}`, { cause: error });
	}
	return new StoreUnavailableError(`Redis at ${address} did not answer`, { cause: error });
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

/** What the client wrapped when the strategy gave up. */
function originalOf(error: Error): unknown {
	return "originalError" in error ? error.originalError : undefined;
}
