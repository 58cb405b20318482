import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { systemClock } from "@atelier/common/clock";
import { createAuditor } from "@atelier/ledger/auditor";
import { createLedger } from "@atelier/ledger/ledger";
import { openStore } from "@atelier/store/open-store";
import type { Task } from "@atelier/studio/task";
import { fakeImageModel } from "@atelier/studio/testing/fake-engine";
import type { Random } from "../../simulation/random.ts";
import { MANNERS, startUpstream, type Manner, type Upstream } from "./upstream.ts";

export interface StudioCrashReport {
	readonly kills: number;
	readonly tasks: number;
	readonly submits: number;
	/** The faults that were found. */
	readonly faults: readonly string[];
}

const CREDITS = 1_000_000;
const SUBMITS_PER_PROCESS = 10;
const KILL_MS_MIN = 50;
const KILL_MS_MAX = 700;
const START_TIMEOUT_MS = 60_000;
const RUN_DEADLINE_MS = 8000;
/** Of several processes: a task that is taken over waits until the lock of the dead one has run out, maybe more than once. */
const SHARED_RUN_DEADLINE_MS = 20_000;
/** A task has to live through several starts: on a slow machine they alone would take longer than its time. */
const STARTS_A_RUN = 15;
/** Well within which everything must have ended after the last kill. */
const RUN_DEADLINE_MS_MAX = 120_000;
const END_TIMEOUT_MS = 300_000;
const ENDS = {
	fine: "success",
	breaksOff: "success",
	twice: "success",
	empty: "failed",
	never: "failed",
} as const satisfies Record<Manner, Task["state"]>;

export interface StudioPlace {
	readonly storeUrl: string;
	/** The queue of two processes; a single process without one. */
	readonly queueUrl?: string | undefined;
}

interface StudioProcess {
	readonly child: ChildProcess;
	readonly origin: string;
	readonly key: string;
}

/** Kills a studio at work, again and again, and then compares its books with those of the service that it pays. */
export async function studioLoop(
	{ storeUrl, queueUrl }: StudioPlace,
	kills: number,
	random: Random,
): Promise<StudioCrashReport> {
	const folder = await mkdtemp(join(tmpdir(), "atelier-crash-studio-"));
	const upstream = await startUpstream();
	const acknowledged = new Map<string, Manner>();
	const faults: string[] = [];
	const begin = starterOf([storeUrl, folder, upstream.url], queueUrl);
	const processes: StudioProcess[] = [];
	try {
		for (let n = 0; n < (queueUrl === undefined ? 1 : 2); n++) processes.push(await begin());
		for (let killed = 0; killed <= kills; killed++) {
			const submits = Array.from({ length: SUBMITS_PER_PROCESS }, async (_, n) => {
				const manner = MANNERS[n % MANNERS.length] ?? "fine";
				const taskId = await submit(random.pick(processes), manner).catch(() => undefined);
				if (taskId !== undefined) acknowledged.set(taskId, manner);
			});
			if (killed < kills) {
				await sleep(random.between(KILL_MS_MIN, KILL_MS_MAX));
				const victim = random.pick(processes);
				await kill(victim);
				processes.splice(processes.indexOf(victim), 1, await begin());
			} else if (!(await allEnded(storeUrl))) {
				faults.push("tasks are still open long after their deadline");
			}
			await Promise.all(submits);
		}
		faults.push(...(await compare(storeUrl, acknowledged, upstream)));
		return { kills, tasks: acknowledged.size, submits: upstream.submits.size, faults };
	} finally {
		await Promise.all(processes.map(kill));
		upstream.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

/** Kills one of two while both are at work; the other one ends what was acknowledged. Resolves to what is not as it must be. */
export async function killOneOfTwo(
	{ storeUrl, queueUrl }: { readonly storeUrl: string; readonly queueUrl: string },
	tasks: number,
): Promise<readonly string[]> {
	const folder = await mkdtemp(join(tmpdir(), "atelier-crash-studio-"));
	const upstream = await startUpstream();
	const processes: StudioProcess[] = [];
	try {
		const begin = starterOf([storeUrl, folder, upstream.url], queueUrl);
		const one = await begin();
		processes.push(one);
		const other = await begin();
		processes.push(other);
		const submits = Array.from({ length: tasks }, (_, n) => submit(n % 2 === 0 ? one : other, "fine"));
		const taskIds = (await Promise.all(submits)).filter((taskId) => taskId !== undefined);
		await kill(one);
		const found = taskIds.length === tasks ? [] : [`${taskIds.length} of ${tasks} tasks were taken`];
		if (!(await allEnded(storeUrl))) found.push("tasks are still open");
		return [...found, ...(await compare(storeUrl, new Map(taskIds.map((taskId) => [taskId, "fine"])), upstream))];
	} finally {
		await Promise.all(processes.map(kill));
		upstream.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

/** The studio's ledger, compared with the service that it pays. */
async function compare(
	storeUrl: string,
	acknowledged: ReadonlyMap<string, Manner>,
	upstream: Upstream,
): Promise<readonly string[]> {
	const found: string[] = [];
	const store = await openStore(storeUrl);
	try {
		const all = await Array.fromAsync(store.scan<Task>("studio-task:"));
		const tasks = new Map(all.map(({ value }) => [value.taskId, value]));
		for (const [taskId, manner] of acknowledged) {
			const task = tasks.get(taskId);
			if (task?.state === ENDS[manner]) continue;
			const why = task?.state === "failed" ? ` (${task.failure.code}: ${task.failure.message})` : "";
			found.push(`${taskId}, which is ${manner}, is ${task?.state}${why}`);
		}
		const paid = [...tasks.values()].filter(({ state }) => state === "success").length * fakeImageModel.price.credits;
		const ledger = createLedger({ store, clock: systemClock });
		const balance = await ledger.balance("studio:crash");
		// Every life has a key of its own, and the caps of all together say what the account says.
		let cappedCredits = 0;
		for await (const { account, findings } of createAuditor({ store }).all()) {
			found.push(...findings.map((finding) => JSON.stringify(finding)));
			if (!account.startsWith("studio-cap:")) continue;
			const { postedCredits, heldCredits } = await ledger.balance(account);
			cappedCredits -= postedCredits;
			if (heldCredits !== 0) found.push(`${account} still holds ${heldCredits} credits`);
		}
		if (cappedCredits !== paid)
			found.push(`${paid} credits of tasks that succeeded, and the caps say ${cappedCredits}`);
		if (balance.postedCredits !== CREDITS - paid || balance.heldCredits !== 0) {
			found.push(`${paid} credits of tasks that succeeded, and the account says ${JSON.stringify(balance)}`);
		}
		for (const [attempt, times] of upstream.submits) if (times > 1) found.push(`${attempt} was ordered ${times} times`);
	} finally {
		await store.close();
	}
	return found;
}

async function submit({ origin, key }: StudioProcess, prompt: string): Promise<string | undefined> {
	const response = await fetch(`${origin}/api/v1/generate`, {
		method: "POST",
		headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": randomUUID() },
		body: JSON.stringify({ mediaType: "image", model: fakeImageModel.id, prompt }),
	});
	const { data } = (await response.json()) as { data: { taskId: string } | null };
	return data?.taskId;
}

async function allEnded(storeUrl: string): Promise<boolean> {
	const store = await openStore(storeUrl);
	try {
		for (const untilMs = performance.now() + END_TIMEOUT_MS; performance.now() < untilMs; await sleep(100)) {
			const marks = await Array.fromAsync(store.scan("studio-open:"));
			const tasks = await Array.fromAsync(store.scan("studio-task:"));
			if (marks.length === 0 && tasks.length > 0) return true;
		}
		return false;
	} finally {
		await store.close();
	}
}

async function kill({ child }: StudioProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = once(child, "exit");
	child.kill("SIGKILL");
	await gone;
}

/** Begins processes whose tasks have as much time as the slowest start so far asks for: a slow machine is no fault. */
function starterOf(storeArgs: readonly string[], queueUrl: string | undefined): () => Promise<StudioProcess> {
	let runDeadlineMs = queueUrl === undefined ? RUN_DEADLINE_MS : SHARED_RUN_DEADLINE_MS;
	return async () => {
		const startedAtMs = performance.now();
		const studioProcess = await startStudio([
			...storeArgs,
			String(runDeadlineMs),
			...(queueUrl === undefined ? [] : [queueUrl]),
		]);
		const startMs = Math.ceil(performance.now() - startedAtMs);
		runDeadlineMs = Math.min(RUN_DEADLINE_MS_MAX, Math.max(runDeadlineMs, STARTS_A_RUN * startMs));
		return studioProcess;
	};
}

async function startStudio(args: readonly string[]): Promise<StudioProcess> {
	const script = fileURLToPath(new URL("child-process.ts", import.meta.url));
	const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
	const early = once(child, "exit").then(() => Promise.reject(new Error("the studio ended by itself")));
	early.catch(() => {});
	const ready = once(child.stdout, "data", { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
	const [line] = (await Promise.race([ready, early])) as [Buffer];
	const [origin = "", key = ""] = line.toString().trim().split(" ");
	return { child, origin, key };
}
