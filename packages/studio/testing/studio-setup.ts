import { createHash, randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { createLogger } from "@atelier/common/logger";
import { onTestFinished } from "vitest";
import { createHttpServer } from "@atelier/common/http-server";
import { handleMalformedStudioUrl } from "../src/envelope.ts";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import type { Engine } from "../src/engines/engine.ts";
import { createStudio, type StudioDeps } from "../src/studio.ts";
import { createFakeEngine, HANG, type Script } from "./fake-engine.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createTempFolder } from "@atelier/common/testing/temp-folder";

export const REQUEST = { mediaType: "image", model: "fake-image", prompt: "a lighthouse in a storm" } as const;

interface Reply {
	readonly status: number;
	readonly headers: Readonly<Record<string, unknown>>;
	// Tests read responses of every shape.
	readonly body: {
		code: number;
		message: string;
		requestId: string;
		data: Record<string, unknown>;
		details?: unknown[];
	};
}

/** A task as the API shows it; tests read all of its fields. */
type TaskRecord = Readonly<Record<string, unknown>> & {
	readonly taskId: string;
	readonly status: string;
	readonly outputs: readonly OutputRecord[];
};
type OutputRecord = Readonly<Record<string, unknown>> & { readonly url: string };

interface Operation {
	readonly method: "GET" | "POST" | "DELETE";
	/** As in the document: `/api/v1/task/{taskId}`. */
	readonly path: string;
}

export interface SetupOptions extends Partial<
	Pick<
		StudioDeps,
		| "limits"
		| "inputOrigins"
		| "callbackOrigins"
		| "unlimitedAccounts"
		| "engineOrder"
		| "origin"
		| "cluster"
		| "events"
	>
> {
	readonly engine?: Engine;
	readonly engines?: readonly Engine[];
	readonly store?: Store;
	readonly clock?: ReturnType<typeof createManualClock>;
	readonly mediaDir?: string;
	readonly credits?: number;
	readonly started?: boolean;
	readonly app?: FastifyInstance;
}

/** A studio on an in-memory store and a manual clock, with a key of the account `acme`. By default, the account has 100 credits. */
export async function setup({
	engine,
	engines,
	app: givenApp,
	credits = 100,
	started = true,
	...deps
}: SetupOptions = {}) {
	const clock = deps.clock ?? createManualClock();
	const store = deps.store ?? (await openStore("memory:"));
	const ledger = createLedger({ store, clock });
	const mediaDir = deps.mediaDir ?? (await createTempFolder());
	const lines: string[] = [];
	const logger = createLogger({
		level: "debug",
		pretty: false,
		destination: { write: (line) => void lines.push(line) },
	});
	const app = givenApp ?? createHttpServer({ malformedUrlHandlers: [handleMalformedStudioUrl] });
	const studio = createStudio({
		origin: () => "http://studio.test",
		inputOrigins: () => [],
		...deps,
		store,
		ledger,
		clock,
		logger,
		engines: engines ?? [engine ?? createFakeEngine()],
		mediaDir,
		// Tests send more requests than the limit allows.
		limits: { changesPerWindowMax: 1_000_000, readsPerWindowMax: 1_000_000, ...deps.limits },
	});
	await studio.register(app);
	if (started) await studio.start();
	onTestFinished(async () => {
		await studio.stop();
		await app.close();
	});

	/** Creates a key of an account, and grants it credits. Resolves to the key. */
	async function createKey(account: string, grantCredits: number): Promise<string> {
		const note = { by: "operator", reason: "test" };
		if (grantCredits > 0) await ledger.grant(`studio:${account}`, `grant:${randomUUID()}`, grantCredits, note);
		return (await studio.keys.create({ account, name: "test" })).key;
	}

	const key = await createKey("acme", credits);

	async function call(
		method: "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD",
		url: string,
		more: { body?: unknown; payload?: string | Buffer; headers?: Record<string, string>; key?: string | null } = {},
	): Promise<Reply> {
		const authorization = more.key === null ? {} : { authorization: `Bearer ${more.key ?? key}` };
		const json = more.body === undefined ? {} : { "content-type": "application/json" };
		const payload = more.body === undefined ? more.payload : JSON.stringify(more.body);
		const response = await app.inject({
			method,
			url,
			headers: { ...authorization, ...json, ...more.headers },
			...(payload !== undefined && { payload }),
		});
		return { status: response.statusCode, headers: response.headers, body: parsed(response.body) };
	}

	/** Reads the operations of the OpenAPI document. */
	async function readOperations(): Promise<readonly Operation[]> {
		const { paths } = (await app.inject("/openapi.json")).json<{ readonly paths: Readonly<Record<string, object>> }>();
		return Object.entries(paths).flatMap(([path, methods]) =>
			Object.keys(methods).map((method) => ({ method: method.toUpperCase() as Operation["method"], path })),
		);
	}

	/** Sends a submit, which may be rejected. */
	const submit = (body: unknown = REQUEST, headers: Record<string, string> = {}): Promise<Reply> =>
		call("POST", "/api/v1/generate", { body, headers });

	/** Submits a task that must be accepted. Resolves to its id. */
	async function submitTask(body: unknown = REQUEST, headers: Record<string, string> = {}): Promise<string> {
		const reply = await submit(body, headers);
		if (reply.status !== 200) throw new Error(`rejected: ${JSON.stringify(reply.body)}`);
		return String(reply.body.data["taskId"]);
	}

	/** Sends a file as an upload, which may be rejected. */
	function upload(
		bytes: Uint8Array,
		{ type = "application/octet-stream", key: uploadKey = key }: { type?: string; key?: string } = {},
	): Promise<Reply> {
		const disposition = 'content-disposition: form-data; name="file"; filename="../../x.html"';
		const head = `--edge\r\n${disposition}\r\ncontent-type: ${type}\r\n\r\n`;
		const payload = Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n--edge--\r\n")]);
		const headers = { "content-type": "multipart/form-data; boundary=edge" };
		return call("POST", "/api/v1/uploads", { payload, headers, key: uploadKey });
	}

	/** Reads the record of a task. */
	const readTask = async (taskId: string, query = ""): Promise<TaskRecord> =>
		(await call("GET", `/api/v1/task/${taskId}${query}`)).body.data as TaskRecord;

	/** Waits until the task has this status. Resolves to its record. */
	const awaitStatus = (taskId: string, status: string): Promise<TaskRecord> =>
		until(
			() => readTask(taskId),
			(record) => record.status === status,
		);

	/** Submits a task, and waits until an engine runs it. Resolves to its id. */
	async function startTask(body?: unknown, headers?: Record<string, string>): Promise<string> {
		const taskId = await submitTask(body, headers);
		await awaitStatus(taskId, "processing");
		return taskId;
	}

	/** Reads the health of each model. */
	async function readHealth(): Promise<readonly unknown[]> {
		const { models } = (await call("GET", "/api/v1/models")).body.data as { models: readonly { health: unknown }[] };
		return models.map(({ health }) => health);
	}

	/** Waits until this attempt has failed and the task waits for the next one. Resolves to its record. */
	const awaitRetry = (taskId: string, attempt: number): Promise<TaskRecord> =>
		until(
			() => readTask(taskId),
			(record) => record.status === "pending" && record["attempt"] === attempt,
		);

	/** Waits until the task has ended and its credits are settled. Resolves to its record. */
	async function awaitEnd(taskId: string): Promise<TaskRecord> {
		await until(async () => (await Array.fromAsync(store.scan(`studio-open:${taskId}`))).length === 0);
		return await readTask(taskId);
	}

	return {
		app,
		studio,
		store,
		ledger,
		clock,
		mediaDir,
		key,
		createKey,
		readLog: () => lines.join(""),
		call,
		readOperations,
		submit,
		submitTask,
		startTask,
		upload,
		readTask,
		readHealth,
		awaitStatus,
		awaitRetry,
		awaitEnd,
		cancelTask: (taskId: string) => call("POST", `/api/v1/task/${taskId}/cancel`),
		/** Submits a task, and waits until it has ended. Resolves to its record. */
		completeTask: async (body?: unknown, headers?: Record<string, string>) =>
			await awaitEnd(await submitTask(body, headers)),
		readBalance: () => ledger.balance("studio:acme"),
	};
}

/** Starts another process of a studio: on its store, its clock and its folder. */
export const openAnother = (
	{ store, clock, mediaDir }: Awaited<ReturnType<typeof setup>>,
	options: SetupOptions = {},
): ReturnType<typeof setup> => setup({ store, clock, mediaDir, credits: 0, ...options });

/** A studio with a running task. Its engine follows `script`, and hangs by default. */
export async function setupRunning({
	script = [HANG],
	...options
}: SetupOptions & { script?: readonly Script[] } = {}) {
	const engine = createFakeEngine({ script });
	const studio = await setup({ engine, ...options });
	return { ...studio, engine, taskId: await studio.startTask() };
}

/** Makes every write into the folder fail. Resolves to the function that ends this. */
export async function takeDiskAway(mediaDir: string): Promise<() => Promise<void>> {
	await rm(mediaDir, { recursive: true });
	await writeFile(mediaDir, "in place of the folder");
	return async () => await rm(mediaDir);
}

/** As long as vitest polls. */
const UNTIL_TIMEOUT_MS = 60_000;

/** Polls without delay at first: most conditions need a few turns of the event loop. */
const QUICK_POLLS = 20;

/** Reads until the value holds; until it is true by default. Longer waits are for a disk or a socket, and yield between polls. */
export async function until<T>(read: () => Promise<T> | T, holds: (value: T) => boolean = Boolean): Promise<T> {
	const startedAtMs = performance.now();
	for (let polls = 0; ; polls++) {
		const value = await read();
		if (holds(value)) return value;
		if (performance.now() - startedAtMs > UNTIL_TIMEOUT_MS) throw new Error(`never held: ${JSON.stringify(value)}`);
		await (polls < QUICK_POLLS ? nextTurn() : sleep(1));
	}
}

/** Returns the path and the query of a URL, for `app.inject`. */
export function pathOf(url: string): string {
	const { pathname, search } = new URL(url);
	return pathname + search;
}

export function sha256(bytes: Uint8Array): string {
	return createHash("sha256").update(bytes).digest("hex");
}

function parsed(text: string): Reply["body"] {
	try {
		return JSON.parse(text) as Reply["body"];
	} catch {
		return { code: Number.NaN, message: text, requestId: "", data: {} };
	}
}
