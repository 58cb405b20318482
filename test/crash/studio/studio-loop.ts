import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { systemClock } from "@atelier/common/clock";
import { createAuditor } from "@atelier/ledger/audit-store";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openStore } from "@atelier/store/open-store";
import type { StudioTask } from "@atelier/studio/studio-task";
import { fakeImageModel } from "@atelier/studio/testing/fake-engine";
import { startProcess, type RestartableProcess } from "../../../bench/lib/child-process.ts";
import type { Random } from "../../simulation/random.ts";
import { BEHAVIORS, startPaidService, type Behavior, type PaidService } from "./paid-service.ts";

interface StudioLoopOptions {
	readonly storeUrl: string;
	/** The queue of two processes; without it there is one process. */
	readonly queueUrl?: string | undefined;
}

export interface StudioLoopReport {
	readonly kills: number;
	/** Tasks whose submission was acknowledged. */
	readonly tasks: number;
	/** Attempts of tasks that were submitted to the paid service. */
	readonly attempts: number;
	readonly violations: readonly string[];
}

const SCRIPT = fileURLToPath(new URL("studio-process.ts", import.meta.url));
const SUBMITS_PER_KILL = 10;
const ALL_BEHAVIORS = Object.keys(BEHAVIORS) as Behavior[];
const CREDITS = 1_000_000;
const KILL_MS_MIN = 50;
const KILL_MS_MAX = 700;
const RUN_DEADLINE_MS = 8000;
/** With two processes a task waits until the lease of the killed one has ended, possibly more than once. */
const SHARED_RUN_DEADLINE_MS = 20_000;
/** The deadline of a task is at least as long as this many starts of a studio: a task that is interrupted must not fail for time. */
const STARTS_PER_RUN = 15;
const RUN_DEADLINE_MS_MAX = 120_000;
const END_TIMEOUT_MS = 300_000;

/** Kills studios while they generate, again and again, and then compares their records with those of the paid service. */
export async function studioLoop(
	{ storeUrl, queueUrl }: StudioLoopOptions,
	kills: number,
	random: Random,
): Promise<StudioLoopReport> {
	const folder = await mkdtemp(join(tmpdir(), "atelier-crash-studio-"));
	const service = await startPaidService();
	const acknowledged = new Map<string, Behavior>();
	const violations: string[] = [];
	const studios: RestartableProcess[] = [];
	let runDeadlineMs = queueUrl === undefined ? RUN_DEADLINE_MS : SHARED_RUN_DEADLINE_MS;
	try {
		await start();
		if (queueUrl !== undefined) await start();
		for (let killed = 0; killed <= kills; killed++) {
			const submits = Array.from({ length: SUBMITS_PER_KILL }, async (_, n) => {
				const behavior = ALL_BEHAVIORS[n % ALL_BEHAVIORS.length] ?? "regular";
				const taskId = await submit(random.pick(studios), behavior).catch(() => undefined);
				if (taskId !== undefined) acknowledged.set(taskId, behavior);
			});
			if (killed < kills) {
				await sleep(random.between(KILL_MS_MIN, KILL_MS_MAX));
				const victim = random.pick(studios);
				await victim.stop("SIGKILL");
				studios.splice(studios.indexOf(victim), 1);
				await start();
			}
			// The check below could otherwise find no open task before the last ones begin.
			await Promise.all(submits);
		}
		if (!(await haveAllEnded(storeUrl))) violations.push("tasks are still open long after their deadline");
		violations.push(...(await compare(storeUrl, acknowledged, service)));
		return { kills, tasks: acknowledged.size, attempts: service.submissions.size, violations };
	} finally {
		await Promise.all(studios.map((studio) => studio.stop("SIGKILL")));
		service.stop();
		await rm(folder, { recursive: true, force: true });
	}

	async function start(): Promise<void> {
		const startedAtMs = performance.now();
		const args = [
			SCRIPT,
			storeUrl,
			folder,
			service.url,
			String(runDeadlineMs),
			...(queueUrl === undefined ? [] : [queueUrl]),
		];
		studios.push(await startProcess({ name: "the studio", args, env: {}, ready: "http" }));
		const slowMs = STARTS_PER_RUN * Math.ceil(performance.now() - startedAtMs);
		runDeadlineMs = Math.min(RUN_DEADLINE_MS_MAX, Math.max(runDeadlineMs, slowMs));
	}
}

/** Compares the studio's tasks and ledger with the submissions that the paid service received. */
async function compare(
	storeUrl: string,
	acknowledged: ReadonlyMap<string, Behavior>,
	service: PaidService,
): Promise<readonly string[]> {
	const violations: string[] = [];
	const store = await openStore(storeUrl);
	const all = await Array.fromAsync(store.scan<StudioTask>("studio-task:"));
	const tasks = new Map(all.map(({ value }) => [value.taskId, value]));
	for (const [taskId, behavior] of acknowledged) {
		const task = tasks.get(taskId);
		if (task?.state === (BEHAVIORS[behavior].outputs > 0 ? "success" : "failed")) continue;
		const why = task?.state === "failed" ? ` (${task.failure.code}: ${task.failure.message})` : "";
		violations.push(`${taskId}, whose job is ${behavior}, is ${task?.state}${why}`);
	}
	const paidCredits =
		[...tasks.values()].filter(({ state }) => state === "success").length * fakeImageModel.price.credits;
	const ledger = createLedger({ store, clock: systemClock });
	// Each process has its own key with a spend cap; together they have spent what the account has.
	let cappedCredits = 0;
	for await (const { account, findings } of createAuditor({ store }).all()) {
		violations.push(...findings.map((finding) => JSON.stringify(finding)));
		if (!account.startsWith("studio-cap:")) continue;
		const { postedCredits, heldCredits } = await ledger.balance(account);
		cappedCredits -= postedCredits;
		if (heldCredits !== 0) violations.push(`${account} still holds ${heldCredits} credits`);
	}
	if (cappedCredits !== paidCredits)
		violations.push(`successful tasks cost ${paidCredits} credits, but the spend caps say ${cappedCredits}`);
	const balance = await ledger.balance("studio:crash");
	if (balance.postedCredits !== CREDITS - paidCredits || balance.heldCredits !== 0) {
		violations.push(`successful tasks cost ${paidCredits} credits, but the balance is ${JSON.stringify(balance)}`);
	}
	for (const [attempt, times] of service.submissions) {
		if (times > 1) violations.push(`${attempt} was submitted ${times} times`);
	}
	await store.close();
	return violations;
}

async function submit({ lines }: RestartableProcess, prompt: string): Promise<string | undefined> {
	const [origin, key] = lines.at(-1)?.split(" ") ?? [];
	const response = await fetch(`${origin}/api/v1/generate`, {
		method: "POST",
		headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": randomUUID() },
		body: JSON.stringify({ mediaType: "image", model: fakeImageModel.id, prompt }),
	});
	const { data } = (await response.json()) as { data: { taskId: string } | null };
	return data?.taskId;
}

async function haveAllEnded(storeUrl: string): Promise<boolean> {
	const store = await openStore(storeUrl);
	try {
		for (const untilMs = performance.now() + END_TIMEOUT_MS; performance.now() < untilMs; await sleep(100)) {
			const openTasks = await Array.fromAsync(store.scan("studio-open:"));
			const tasks = await Array.fromAsync(store.scan("studio-task:"));
			if (openTasks.length === 0 && tasks.length > 0) return true;
		}
		return false;
	} finally {
		await store.close();
	}
}
