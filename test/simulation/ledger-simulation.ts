/**
 * Simulates several processes with one ledger each on one disk, in virtual time. Each call to the disk may fail before or
 * after its effect, take effect later, overtake other calls, or crash its process. Clients repeat an operation with the same id
 * until they receive a response. The simulation checks the invariants after every event. The seed determines the run.
 */
import assert from "node:assert/strict";
import type { Clock } from "@atelier/common/clock";
import { OPERATIONS_PER_WRITE_MAX, createLedger } from "@atelier/ledger/create-ledger";
import { LedgerRejectedError, type AccountId, type Ledger, type OperationResult } from "@atelier/ledger/ledger";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { isStoreFailure } from "@atelier/store/store-errors";
import { createEventQueue, runEvent } from "./event-queue.ts";
import { createDisk, type ProcessState, type Sabotage } from "./faulty-disk.ts";
import { createRandom, drawRates } from "./random.ts";
import { auditDisk, createObservations, InvariantError, readAccount } from "./invariants.ts";
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
	const changed = new Set<AccountId>();
	const disk = createDisk({ queue, random, rates: drawRates(random, 0.3, RATES_MAX), onWrite, sabotage });
	const observations = createObservations({
		read: (key) => disk.read(key),
		limitCredits: isBurst ? BURST_LIMIT_CREDITS : LIMIT_CREDITS,
	});
	const generator = createOperationGenerator({
		random,
		isBurst,
		entryCount: (account) => observations.entryCount(account),
		nowMs: wallMs,
	});
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
		const [kind, ...id] = key.split(":");
		if (kind === "account") {
			changed.add(id.join(":"));
			const seqBefore = before === undefined ? 0 : readAccount(before, key).seq;
			if (isBurst && readAccount(after, key).seq >= seqBefore + OPERATIONS_PER_WRITE_MAX) countEvent("a full write");
		}
		if (kind !== "account" && before !== undefined) failure ??= new InvariantError(`${key} is written a second time`);
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
			handleResponse(process, retry, () => {
				countEvent(planned.operation.kind);
				observations.acknowledged(planned);
				for (const { delayMs, planned: next } of generator.followUpsOf(planned))
					queue.plan(delayMs, () => startOperation(next));
			});
		} catch (error) {
			if (process.processState.isDead) return;
			if (error instanceof LedgerRejectedError) {
				handleResponse(process, retry, () => {
					countEvent(error.account === planned.account ? error.code : `${error.code} in a limit`);
					observations.rejected(planned, error.code);
				});
			} else if (isStoreFailure(error)) {
				countEvent("fault");
				process.unanswered.delete(retry);
				retryLater(retry);
			} else {
				failure ??= error;
			}
		}
	}

	function handleResponse({ processState, unanswered }: Process, retry: () => void, onResponse: () => void): void {
		if (processState.isDead) return;
		unanswered.delete(retry);
		inFlight -= 1;
		try {
			// A response may arrive in the same step as its write.
			checkChanges();
			onResponse();
		} catch (error) {
			failure ??= error;
		}
	}

	function startOperation(requested: PlannedOperation): void {
		const planned = { ...requested };
		inFlight += 1;
		observations.requested(planned);
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

	function checkChanges(): void {
		for (const account of changed) {
			changed.delete(account);
			observations.checkAccount(account);
		}
		observations.checkHolds();
	}

	async function step(event: () => void): Promise<void> {
		await runEvent(event);
		checkChanges();
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
		queue.plan(0, () => generator.voidAllHolds().forEach(startOperation));
		await runUntilIdle();
		await auditDisk(disk.texts());
		for (const account of generator.accounts()) {
			const heldCredits = observations.entries(account).at(-1)?.heldAfterCredits ?? 0;
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
