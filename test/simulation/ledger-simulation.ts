/**
 * Simulates several processes with one ledger each on one disk, in virtual time. Each call to the disk may fail before or
 * after its effect, take effect later, overtake other calls, or crash its process. Clients repeat an operation with the same id
 * until they receive a response. At the end, every operation has a response, and the simulation compares the disk with the responses.
 * A shorter run of the same seed finds the event that violated an invariant. The seed determines the run.
 */
import assert from "node:assert/strict";
import type { Clock } from "@atelier/common/clock";
import { OPERATIONS_PER_WRITE_MAX, createLedger } from "@atelier/ledger/create-ledger";
import { ACCOUNT_PREFIX } from "@atelier/ledger/journal";
import { LedgerRejectedError, type Ledger, type OperationResult } from "@atelier/ledger/ledger";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { isStoreFailure } from "@atelier/store/store-errors";
import { createEventQueue, runEvent } from "./event-queue.ts";
import { createDisk, type ProcessState, type Sabotage } from "./faulty-disk.ts";
import { createRandom, drawRates } from "./random.ts";
import { createResponses, InvariantError, readAccount } from "./invariants.ts";
import {
	BURST_LIMIT_CREDITS,
	LIMIT_CREDITS,
	createOperationGenerator,
	type PlannedOperation,
} from "./operation-generator.ts";

export interface SimulationOptions {
	readonly seed: number;
	readonly steps: number;
	readonly sabotage?: Sabotage;
}

export interface SimulationResult {
	readonly seed: number;
	readonly steps: number;
	/** The number of events of each kind, so that a test can require that faults occurred. */
	readonly eventCounts: Readonly<Record<string, number>>;
}

/** Each tenth seed simulates bursts of operations. */
const BURST_EVERY_SEEDS = 10;
const BURST_STEPS_FACTOR = 4;
const PROCESSES = 3;
/** The clock of a process differs by up to this much. */
const SKEW_MS_MAX = 50;
/** The most operations without a response at once. */
const IN_FLIGHT_MAX = 16;
const BURST_IN_FLIGHT_MAX = 200;
const RETRY_MS_MAX = 50;
/** After the last fault, every operation has a response within this number of events. */
const HEALING_EVENTS_MAX = 100_000;
const RATES_MAX = {
	failBefore: 0.05,
	reject: 0.02,
	failAfter: 0.05,
	failThenApply: 0.05,
	crashBefore: 0.02,
	crashAfter: 0.02,
	slow: 0.1,
};

interface Process {
	readonly processState: ProcessState;
	readonly ledger: Ledger;
	/** Repeats each operation that has no response yet. */
	readonly unanswered: Set<() => void>;
}

/** Runs the simulation of the ledger. Throws an `InvariantError` if an invariant is violated. */
export async function simulateLedger({ seed, steps, sabotage }: SimulationOptions): Promise<SimulationResult> {
	const random = createRandom(seed);
	const isBurst = seed % BURST_EVERY_SEEDS === BURST_EVERY_SEEDS - 1;
	const queue = createEventQueue();
	const disk = createDisk({ queue, random, rates: drawRates(random, 0.3, RATES_MAX), onWrite, sabotage });
	const responses = createResponses(isBurst ? BURST_LIMIT_CREDITS : LIMIT_CREDITS);
	const generator = createOperationGenerator({ random, isBurst, nowMs: wallMs });
	const processes = Array.from({ length: PROCESSES }, (_, index) => boot(index));
	const eventCounts: Record<string, number> = {};
	let clockOffsetMs = Date.UTC(2026, 0, 1);
	let inFlight = 0;
	let isGenerating = true;
	let failure: unknown;

	function countEvent(event: string): void {
		eventCounts[event] = (eventCounts[event] ?? 0) + 1;
	}

	function wallMs(): number {
		return queue.nowMs + clockOffsetMs;
	}

	function onWrite(key: string, before: string | undefined, after: string): void {
		if (!key.startsWith(ACCOUNT_PREFIX)) {
			if (before !== undefined) failure ??= new InvariantError(`${key} is written a second time`);
		} else if (isBurst) {
			const seqBefore = before === undefined ? 0 : readAccount(before, key).seq;
			if (readAccount(after, key).seq >= seqBefore + OPERATIONS_PER_WRITE_MAX) countEvent("a full write");
		}
	}

	function boot(index: number): Process {
		const skewMs = random.between(-SKEW_MS_MAX, SKEW_MS_MAX);
		const clock: Clock = {
			nowMs: () => wallMs() + skewMs,
			sleep: () => Promise.reject(new Error("the ledger must not sleep")),
		};
		const processState: ProcessState = {
			isDead: false,
			crash() {
				countEvent("crash");
				processState.isDead = true;
				for (const retry of unanswered) retryLater(retry);
				processes[index] = boot(index);
			},
		};
		const unanswered = new Set<() => void>();
		return {
			processState,
			unanswered,
			ledger: createLedger({ store: createKeyvStore(disk.storageFor(processState)), clock }),
		};
	}

	function retryLater(retry: () => void): void {
		queue.plan(random.between(0, RETRY_MS_MAX), retry);
	}

	async function submit(planned: PlannedOperation): Promise<void> {
		const process = random.pick(processes);
		const retry = (): void => void submit(planned);
		process.unanswered.add(retry);
		try {
			await apply(process.ledger, planned);
			if (!receive(process, retry)) return;
			countEvent(planned.operation.kind);
			responses.acknowledged(planned);
			for (const { delayMs, planned: next } of generator.followUpsOf(planned))
				queue.plan(delayMs, () => startOperation(next));
		} catch (error) {
			if (error instanceof LedgerRejectedError) {
				if (!receive(process, retry)) return;
				countEvent(error.account === planned.account ? error.code : `${error.code} in a limit`);
				responses.rejected(planned, error.code);
			} else if (isStoreFailure(error)) {
				if (process.processState.isDead) return;
				countEvent("fault");
				process.unanswered.delete(retry);
				retryLater(retry);
			} else {
				failure ??= error;
			}
		}
	}

	/** Returns false if the process crashed before the response: another process repeats the operation. */
	function receive({ processState, unanswered }: Process, retry: () => void): boolean {
		if (processState.isDead) return false;
		unanswered.delete(retry);
		inFlight -= 1;
		return true;
	}

	function startOperation(planned: PlannedOperation): void {
		inFlight += 1;
		responses.requested(planned);
		void submit(planned);
	}

	function generateLoad(): void {
		if (!isGenerating) return;
		queue.plan(random.between(0, 12), generateLoad);
		if (random.chance(0.004)) {
			countEvent("time jump");
			clockOffsetMs += random.pick([1000, 60_000, 86_400_000, -2000]);
		}
		if (inFlight < (isBurst ? BURST_IN_FLIGHT_MAX : IN_FLIGHT_MAX))
			for (const planned of generator.next()) startOperation(planned);
	}

	async function step(event: () => void): Promise<void> {
		await runEvent(event);
		if (failure !== undefined) throw failure;
	}

	async function runUntilIdle(): Promise<void> {
		for (let events = 0; events < HEALING_EVENTS_MAX; events++) {
			const run = queue.next();
			if (!run) return;
			await step(run);
		}
		throw new InvariantError("operations are still open long after the last fault");
	}

	async function finishAndCheck(): Promise<void> {
		isGenerating = false;
		disk.heal();
		await runUntilIdle();
		if (inFlight > 0) throw new InvariantError(`${inFlight} operations never got a response`);
		await responses.check(disk.texts());
		queue.plan(0, () => generator.voidAllHolds().forEach(startOperation));
		await runUntilIdle();
		for (const [account, heldCredits] of await responses.check(disk.texts())) {
			if (heldCredits !== 0)
				throw new InvariantError(`${account}: every hold has ended, and ${heldCredits} credits are held`);
		}
	}

	queue.plan(0, generateLoad);
	for (let stepsTaken = 0; stepsTaken < steps * (isBurst ? BURST_STEPS_FACTOR : 1); stepsTaken++) {
		const run = queue.next();
		assert(run, "the event queue is empty before the last step");
		await step(run);
	}
	await finishAndCheck();
	return { seed, steps, eventCounts };
}

function apply(ledger: Ledger, { account, operation, limits }: PlannedOperation): Promise<OperationResult> {
	const note = { by: "member:1", reason: "simulated" };
	const end = { limits: limits.map((limit) => limit.account) };
	switch (operation.kind) {
		case "grant": {
			const { expiresAtMs } = operation;
			const options = expiresAtMs === undefined ? {} : { expiresAtMs };
			return ledger.grant(account, operation.operationId, operation.amountCredits, note, options);
		}
		case "adjust":
			return ledger.adjust(account, operation.operationId, operation.amountCredits, note);
		case "reserve":
			return ledger.reserve(account, operation.holdId, operation.amountCredits, note, { limits });
		case "post":
			return ledger.post(account, operation.holdId, operation.amountCredits, note, end);
		case "void":
			return ledger.void(account, operation.holdId, note, end);
	}
}
