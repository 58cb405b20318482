/** Runs a simulation with many seeds on all cores. */
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { Argument } from "@commander-js/extra-typings";
import { createProgram, parseNumber } from "../../tools/npm-script-arguments.ts";
import { addCounts } from "./event-queue.ts";
import { simulateTasks } from "./tasks/task-simulation.ts";
import { simulateLedger, type SimulationResult } from "./ledger-simulation.ts";

const SIMULATIONS = { ledger: simulateLedger, tasks: simulateTasks } as const;
type Subject = keyof typeof SIMULATIONS;

/** The events that must occur at least three times in `CHECKED_SEEDS_MIN` runs of the default length. */
const EXPECTED_EVENTS: Readonly<Record<Subject, readonly string[]>> = {
	ledger: [
		"crash",
		"fault",
		"a full write",
		"time jump",
		"grant",
		"reserve",
		"post",
		"void",
		"adjust",
		"exceeds_credits",
		"exceeds_credits in a limit",
		"already_posted",
		"already_voided",
		"exists_with_different_amount",
		"exceeds_hold",
		"too_many_holds",
		"too_many_grants",
	],
	tasks: [
		"crash",
		"stop",
		"cut off",
		"full disk",
		"time jump",
		"cancel: requested",
		"cancel: too late",
		"succeeded",
		"service.failed",
		"service.contentPolicy",
		"service.timedOut",
		"service.nothingMade",
		"service.canceledByMember",
		"withdrawn",
		"limit.serverCredits",
		"limit.member",
		"tokenEdit",
		"botEdit",
		"botPost",
		"undelivered",
		"streaming upload",
		"streaming upload completed",
		"card rejected",
	],
};
const STEPS_DEFAULT = 1000;
const CHECKED_SEEDS_MIN = 50;

interface SeedShare {
	readonly subject: Subject;
	readonly seeds: readonly number[];
	readonly steps: number;
}

/** The result of a run, or the reason of its failure. */
type Report = Pick<SimulationResult, "seed" | "eventCounts"> | { readonly seed: number; readonly error: unknown };

if (isMainThread) await runAll();
else await runShare(workerData as SeedShare);

async function runShare({ subject, seeds, steps }: SeedShare): Promise<void> {
	const port = parentPort;
	for (const seed of seeds) {
		const run: Promise<Report> = SIMULATIONS[subject]({ seed, steps });
		const report = await run.catch((error: unknown) => ({ seed, error }));
		if (port) port.postMessage(report);
	}
}

async function runAll(): Promise<void> {
	const program = createProgram("simulate")
		.description("Runs a simulation with many seeds on all cores.")
		.addArgument(
			new Argument("[subject]", "the part of the product to simulate")
				.choices(["ledger", "tasks"] as const)
				.default("ledger" as const),
		)
		.option("--seeds <count>", "number of runs", parseNumber, 1000)
		.option("--steps <count>", "events of each run", parseNumber, STEPS_DEFAULT)
		.option("--seed <number>", "runs only this seed; a failed run prints its seed", parseNumber)
		.parse();
	const [subject] = program.processedArgs;
	const { seeds: seedCount, steps, seed } = program.opts();
	const firstSeed = seed ?? 0;
	const count = seed === undefined ? seedCount : 1;
	const seeds = Array.from({ length: count }, (_, n) => firstSeed + n);
	const threads = Math.min(availableParallelism(), count);
	const eventCounts: Record<string, number> = {};
	let failedCount = 0;

	function receive(report: Report): void {
		if ("error" in report) {
			failedCount += 1;
			const reason = report.error instanceof Error ? report.error.stack : String(report.error);
			process.stdout.write(`seed ${report.seed} failed: ${reason}\n`);
			process.stdout.write(`again: npm run simulate -- ${subject} --seed ${report.seed} --steps ${steps}\n\n`);
		} else {
			addCounts(eventCounts, report.eventCounts);
		}
	}

	const startMs = performance.now();
	await Promise.all(
		Array.from({ length: threads }, async (_, thread) => {
			const share: SeedShare = { subject, seeds: seeds.filter((_seed, n) => n % threads === thread), steps };
			const worker = new Worker(new URL(import.meta.url), { workerData: share });
			worker.on("message", receive);
			await once(worker, "exit");
		}),
	);
	const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
	process.stdout.write(
		`${count} runs of ${subject}, ${steps} steps each, in ${seconds} s on ${threads} threads: ${failedCount} failed\n`,
	);
	process.stdout.write(`${JSON.stringify(eventCounts)}\n`);
	const isChecked = count >= CHECKED_SEEDS_MIN && steps >= STEPS_DEFAULT;
	const missing = isChecked ? EXPECTED_EVENTS[subject].filter((event) => (eventCounts[event] ?? 0) < 3) : [];
	if (missing.length > 0) process.stdout.write(`events that did not occur three times: ${missing.join(", ")}\n`);
	process.exitCode = failedCount > 0 || missing.length > 0 ? 1 : 0;
}
