import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { TranscodeJob } from "../../src/transcode/worker-messages.ts";
import { createTranscodeWorkerPool } from "../../src/transcode/worker-pool.ts";
import { TranscodeFailedError } from "../../src/transcode/worker-process.ts";
import { isRunning } from "@atelier/common/testing/processes";
import { createTempFolder } from "@atelier/common/testing/temp-folder";

const TIMEOUT_MS = 60_000;
const WRITES_PID = `import { writeFileSync } from "node:fs"; writeFileSync("pid", String(process.pid));`;
const HANGS = `${WRITES_PID} process.on("message", () => { for (;;) {} });`;
const REPLIES = `process.on("message", () => process.send({ kind: "unchanged" }));`;
const REPLIES_ONCE = `import { existsSync } from "node:fs"; const isFirst = !existsSync("pid"); ${WRITES_PID}
	process.on("message", () => { if (isFirst) process.send({ kind: "unchanged" }); else for (;;) {} });`;
const CRASHES = `process.on("message", () => process.kill(process.pid, "SIGSEGV"));`;
const FILLS_HEAP = `const all = []; process.on("message", () => { for (;;) all.push(new Array(1 << 20).fill(all.length)); });`;
const failsFor = (lacks: string): string =>
	`process.on("message", () => process.send({ kind: "failed", lacks: "${lacks}", error: "Error" }));`;
/** Reports a 4K video, and records when it starts and ends, with its limits. */
const RECORDS_START = `import { appendFileSync } from "node:fs";
	const size = { kind: "video", width: 3840, height: 2160, frameBytes: 12441600 };
	process.once("message", () => {
		process.once("message", ({ threads, memory }) => {
			appendFileSync("log", \`start \${threads} \${memory}\\n\`);
			setTimeout(() => {
				appendFileSync("log", "end\\n");
				process.send({ kind: "unchanged" });
			}, 200);
		});
		process.send({ kind: "size", size });
	});`;
const ALLOCATES_FOREVER = `const all = []; process.on("message", () => { for (;;) all.push(Buffer.alloc(1 << 24, 1)); });`;

/** A pool whose worker processes run `script` instead of a transcode. */
async function setup(
	script: string,
	deps: Partial<Omit<Parameters<typeof createTranscodeWorkerPool>[0], "script">> = {},
) {
	const folder = await createTempFolder();
	const path = join(folder, "script.mjs");
	await writeFile(path, script);
	const pool = createTranscodeWorkerPool({ workersMax: 1, ...deps, script: pathToFileURL(path) });
	onTestFinished(() => pool.close());
	const job: TranscodeJob = {
		action: "transcode",
		mediaKind: "video",
		contentType: "video/mp4",
		path,
		folder,
		bytesMax: 1,
		threads: 1,
		memory: "normal",
	};
	const run = (signal = new AbortController().signal, timeoutMs = TIMEOUT_MS) => pool.run(job, timeoutMs, signal);
	const pid = async (): Promise<number> => Number(await readFile(join(folder, "pid"), "utf8").catch(() => ""));
	const started = async (): Promise<void> => {
		// The file exists before its content does, and 0 would name every process of the group.
		await expect.poll(pid).toBeGreaterThan(0);
	};
	return { path, pool, run, started, pid };
}

/** Also handles a rejection that comes before the test awaits it. */
const failureOf = (job: Promise<unknown>): Promise<unknown> => job.catch((error: unknown) => error);

test.each<[string, string, object, number?]>([
	["a crash", CRASHES, { failure: "crashed", message: expect.stringContaining("SIGSEGV") }],
	["a failure that the worker reports", failsFor("nothing"), { failure: "crashed" }],
	["a full heap", FILLS_HEAP, { failure: "killed", signal: "SIGABRT" }],
	["a lack of memory that the worker reports", failsFor("memory"), { failure: "killed" }],
	["a full disk, which is an error of the machine", failsFor("diskSpace"), { name: "Error", code: "ENOSPC" }],
	["a timeout", HANGS, { name: "TranscodeFailedError", failure: "overLimit" }, 300],
])("%s fails one job, and the next one runs", async (_case, script, failure, timeoutMs) => {
	const { run, path } = await setup(script);
	expect(await failureOf(run(undefined, timeoutMs))).toMatchObject(failure);
	await writeFile(path, REPLIES);
	expect(await run()).toStrictEqual({ kind: "unchanged" });
});

test("a process that cannot start is an error of the machine, not of the file", async () => {
	const { run, path } = await setup(REPLIES);
	await rm(dirname(path), { recursive: true });
	await expect(run()).rejects.toMatchObject({ name: "Error", syscall: expect.stringContaining("spawn") });
});

test("an aborted job has stopped when its promise settles, even in a busy loop", async () => {
	const { run, started, pid } = await setup(HANGS);
	const abort = new AbortController();
	const running = failureOf(run(abort.signal));
	await started();
	const reason = new Error("abandoned");
	abort.abort(reason);
	expect(await running).toBe(reason);
	expect(isRunning(await pid())).toBe(false);
});

test.runIf(process.platform === "linux")("a job above its memory limit is killed", async () => {
	const { run } = await setup(ALLOCATES_FOREVER, { memoryBytesMax: 200 * 1024 * 1024 });
	expect(String(await failureOf(run()))).toContain("bytes of memory");
});

test("a waiting job can be aborted, and the next one takes its turn", async () => {
	const { run, started, path } = await setup(HANGS);
	const first = new AbortController();
	const running = run(first.signal).catch(() => "aborted");
	await started();
	const second = new AbortController();
	const waiting = run(second.signal).catch(() => "aborted while it waited");
	await writeFile(path, REPLIES);
	const third = run();
	second.abort();
	expect(await waiting).toBe("aborted while it waited");
	first.abort();
	expect(await running).toBe("aborted");
	expect(await third).toStrictEqual({ kind: "unchanged" });
});

test("a job that is aborted at the moment of its start does not run", async () => {
	// The abort comes after each possible number of microtasks since the first job ended.
	for (let turns = 0; turns < 6; turns++) {
		const { run } = await setup(REPLIES_ONCE);
		const first = run();
		const abort = new AbortController();
		const second = run(abort.signal).catch(() => "aborted");
		await first;
		for (let turn = 0; turn < turns; turn++) await Promise.resolve();
		abort.abort();
		expect(await second).toBe("aborted");
	}
});

test("the timeout does not include the time in the queue", async () => {
	const { run, started } = await setup(HANGS);
	const first = new AbortController();
	const running = run(first.signal).catch(() => "aborted");
	await started();
	const ends: string[] = [];
	const second = run(undefined, 10).catch((error: unknown) => void ends.push(String(error)));
	// A later timer: the deadline's would have fired before.
	await new Promise((resolve) => AbortSignal.timeout(100).addEventListener("abort", resolve));
	expect(ends).toStrictEqual([]);
	first.abort();
	expect(await running).toBe("aborted");
	await second;
	expect(ends).toStrictEqual(["TranscodeFailedError: transcode took more than 0.01 s"]);
});

test("the queue is full while its limit of jobs waits; a further job waits too", async () => {
	const { run, started, path, pool } = await setup(HANGS, { waitingMax: 1 });
	const abort = new AbortController();
	const running = run(abort.signal).catch(() => "aborted");
	await started();
	expect(pool.isQueueFull()).toBe(false);
	await writeFile(path, REPLIES);
	const waiting = [run(), run()];
	expect(pool.isQueueFull()).toBe(true);
	abort.abort();
	expect(await running).toBe("aborted");
	expect(await Promise.all(waiting)).toStrictEqual([{ kind: "unchanged" }, { kind: "unchanged" }]);
	expect(pool.isQueueFull()).toBe(false);
});

test("closing ends running jobs and rejects new ones", async () => {
	const { run, started, pool, pid } = await setup(HANGS);
	const running = failureOf(run());
	await started();
	await pool.close();
	expect(isRunning(await pid())).toBe(false);
	expect(await running).toBeInstanceOf(TranscodeFailedError);
	await expect(run()).rejects.toBeInstanceOf(TranscodeFailedError);
});

test("a worker process gets no secrets of the bot", async () => {
	const { run, path } = await setup("");
	await writeFile(
		path,
		`process.on("message", () => process.send({ kind: "unusable", why: { kind: Object.keys(process.env).filter((name) => !/^NODE_(CHANNEL|COMPILE_CACHE$)/.test(name)).join() } }));`,
	);
	expect(await run()).toStrictEqual({ kind: "unusable", why: { kind: "" } });
});

test("two large files at once run one after the other if the memory is small, each with less of it", async () => {
	const { run, path } = await setup(RECORDS_START, { workersMax: 2, availableBytes: async () => 512 * 1024 * 1024 });
	await Promise.all([run(), run()]);
	const log = await readFile(join(dirname(path), "log"), "utf8");
	expect(log.trim().split("\n")).toStrictEqual(["start 1 low", "end", "start 1 low", "end"]);
});
