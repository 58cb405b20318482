/**
 * Several processes with one ledger each on one disk, in virtual time. Each call of the disk may fail before or after its
 * effect, take effect later, overtake others or crash its process. Clients repeat operations with the same ids until they
 * receive a response. After every event the invariants are checked. A seed determines the run.
 */
import assert from "node:assert/strict";
import type { Clock } from "@atelier/common/clock";
import type { Operation } from "@atelier/ledger/apply-operation";
import { OPERATIONS_PER_WRITE_MAX, createLedger } from "@atelier/ledger/ledger";
import { LedgerRefusalError, type AccountId, type Balance, type Ledger } from "@atelier/ledger/operations";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createEventQueue, runEvent } from "./event-queue.ts";
import { checkEnd, isFault, runPhase, type ChargeRun } from "./charge-scenarios.ts";
import { DiskFaultError, createDisk, type ProcessState, type Sabotage } from "./faulty-disk.ts";
import { createRandom, drawRates } from "./random.ts";
import { auditDisk, createObservations, InvariantError, readAccount } from "./invariants.ts";
import { createWishes, type PlannedOperation } from "./operation-generator.ts";

export interface SimulationOptions {
	readonly seed: number;
	readonly steps: number;
	readonly sabotage?: Sabotage;
}

export interface SimulationResult {
	readonly seed: number;
	readonly steps: number;
	/** Counts of events, so that a simulation without events does not pass for one without faults. */
	readonly seen: Readonly<Record<string, number>>;
}

/** Each tenth seed simulates bursts of operations. */
const BURST_EVERY = 10;
const BURST_STEPS_FACTOR = 4;
const PROCESSES = 3;
const SKEW_MS_MAX = 50;
const IN_FLIGHT_MAX = 16;
const BURST_IN_FLIGHT_MAX = 200;
const RETRY_MS_MAX = 50;
/** After the last fault, every operation has a response within this number of events. */
const HEALING_EVENTS_MAX = 100_000;
const RATES_MAX = {
	failBefore: 0.05,
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

/** Throws an `InvariantError` if an invariant is violated. */
export async function simulate({ seed, steps, sabotage }: SimulationOptions): Promise<SimulationResult> {
	const random = createRandom(seed);
	const isBurst = seed % BURST_EVERY === BURST_EVERY - 1;
	const queue = createEventQueue();
	const changed = new Set<AccountId>();
	const disk = createDisk({ queue, random, rates: drawRates(random, 0.3, RATES_MAX), onWrite, sabotage });
	const observations = createObservations((key) => disk.read(key));
	const wishes = createWishes({ random, isBurst, observations, nowMs: wallMs });
	const processes = Array.from({ length: PROCESSES }, (_, index) => boot(index));
	const stories: ChargeRun[] = [];
	const seen: Record<string, number> = {};
	let jumpedMs = Date.UTC(2026, 0, 1);
	let inFlight = 0;
	let arriving = true;
	let failure: unknown;

	function saw(what: string): void {
		seen[what] = (seen[what] ?? 0) + 1;
	}

	function wallMs(): number {
		return queue.nowMs + jumpedMs;
	}

	function onWrite(key: string, before: string | undefined, after: string): void {
		const [kind, ...id] = key.split(":");
		if (kind === "account") {
			changed.add(id.join(":"));
			if (isBurst && readAccount(after, key).entries.length >= OPERATIONS_PER_WRITE_MAX) saw("a full write");
		}
		if (kind !== "account" && before !== undefined) failure ??= new InvariantError(`${key} is written a second time`);
	}

	function boot(index: number): Process {
		const skewMs = random.between(-SKEW_MS_MAX, SKEW_MS_MAX);
		const clock: Clock = { nowMs: () => wallMs() + skewMs, sleep: () => Promise.reject(new Error("nothing sleeps")) };
		const processState: ProcessState = {
			dead: false,
			crash() {
				saw("crash");
				processState.dead = true;
				for (const again of unanswered) later(again);
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

	function later(again: () => void): void {
		queue.plan(random.between(0, RETRY_MS_MAX), again);
	}

	async function submit(planned: PlannedOperation): Promise<void> {
		const process = random.pick(processes);
		const again = (): void => void submit(planned);
		process.unanswered.add(again);
		try {
			await apply(process.ledger, planned.account, planned.operation);
			answered(process, again, () => {
				saw(planned.operation.kind);
				observations.acknowledged(planned.account, planned.operation);
				for (const { delayMs, planned: next } of wishes.after(planned)) queue.plan(delayMs, () => start(next));
			});
		} catch (error) {
			if (process.processState.dead) return;
			if (error instanceof LedgerRefusalError) {
				answered(process, again, () => {
					saw(error.code);
					observations.refused(planned.account, planned.operation, error.code);
				});
			} else if (error instanceof DiskFaultError) {
				saw("fault");
				process.unanswered.delete(again);
				later(again);
			} else {
				failure ??= error;
			}
		}
	}

	async function tell(story: ChargeRun): Promise<void> {
		const process = random.pick(processes);
		const { processState, ledger, unanswered } = process;
		const again = (): void => void tell(story);
		unanswered.add(again);
		try {
			const what = await runPhase(story, { ledger, observations, isDead: () => processState.dead, checkChanges });
			answered(process, again, () => {
				saw(what);
				if (story.phase !== "over") queue.plan(random.between(0, 400), () => begin(story));
			});
		} catch (error) {
			if (processState.dead) return;
			if (!isFault(error)) failure ??= error;
			unanswered.delete(again);
			later(again);
		}
	}

	function begin(story: ChargeRun): void {
		inFlight += 1;
		void tell(story);
	}

	function beginCharge(): void {
		const story: ChargeRun = {
			charge: wishes.nextCharge(),
			isCompleted: random.chance(0.7),
			phase: "reserve",
			sent: new Set(),
		};
		stories.push(story);
		begin(story);
	}

	function answered({ processState, unanswered }: Process, again: () => void, then: () => void): void {
		if (processState.dead) return;
		unanswered.delete(again);
		inFlight -= 1;
		try {
			// A response may arrive in the same step as its write.
			checkChanges();
			then();
		} catch (error) {
			failure ??= error;
		}
	}

	function start(wanted: PlannedOperation): void {
		const planned = { ...wanted };
		inFlight += 1;
		observations.asked(planned.account, planned.operation);
		void submit(planned);
	}

	function arrive(): void {
		if (!arriving) return;
		queue.plan(random.between(0, 12), arrive);
		if (random.chance(0.004)) {
			saw("time jump");
			jumpedMs += random.pick([1000, 60_000, 86_400_000, -2000]);
		}
		if (inFlight < (isBurst ? BURST_IN_FLIGHT_MAX : IN_FLIGHT_MAX)) for (const planned of wishes.next()) start(planned);
		if (inFlight < IN_FLIGHT_MAX && random.chance(0.08)) beginCharge();
		if (random.chance(0.1)) void readSomething();
	}

	/** Compares a page of the history with the expected entries, during concurrent writes. */
	async function readSomething(): Promise<void> {
		const { processState, ledger } = random.pick(processes);
		const account = wishes.anyAccount();
		const limit = random.between(1, 20);
		const beforeSeq = random.between(1, observations.length(account) + 2);
		try {
			const page = await ledger.history(account, { limit, beforeSeq });
			if (processState.dead) return;
			saw("history");
			checkChanges();
			const newest = page[0]?.seq ?? 0;
			const known = observations.entries(account);
			const isSo = page.every((entry, n) => entry.seq === newest - n && isSame(entry, known[entry.seq - 1]));
			if (!isSo) throw new InvariantError(`${account}: a page of the history is wrong: ${JSON.stringify(page)}`);
		} catch (error) {
			if (!processState.dead && !(error instanceof DiskFaultError)) failure ??= error;
		}
	}

	function checkChanges(): void {
		for (const account of changed) {
			changed.delete(account);
			observations.look(account);
		}
	}

	async function step(event: () => void): Promise<void> {
		await runEvent(event);
		checkChanges();
		if (failure !== undefined) throw failure;
	}

	async function runDry(): Promise<void> {
		for (let events = 0; events < HEALING_EVENTS_MAX; events++) {
			const run = queue.next();
			if (!run) return;
			await step(run);
		}
		throw new InvariantError("operations are still open long after the last fault");
	}

	async function finish(): Promise<void> {
		arriving = false;
		disk.heal();
		await runDry();
		if (inFlight > 0) throw new InvariantError(`${inFlight} operations never got a response`);
		queue.plan(0, () => wishes.endEverything().forEach(start));
		await runDry();
		await auditDisk(disk.texts());
		for (const story of stories) checkEnd(story, observations);
		for (const account of wishes.accounts()) {
			const held = observations.entries(account).at(-1)?.heldAfterCredits ?? 0;
			if (held !== 0) throw new InvariantError(`${account}: every hold has ended, and ${held} credits are held`);
		}
	}

	queue.plan(0, arrive);
	for (let taken = 0; taken < steps * (isBurst ? BURST_STEPS_FACTOR : 1); taken++) {
		const run = queue.next();
		assert(run, "a simulation never runs dry by itself");
		await step(run);
	}
	await finish();
	return { seed, steps, seen };
}

function apply(ledger: Ledger, account: AccountId, operation: Operation): Promise<Balance> {
	const note = { by: "member:1", reason: "simulated" };
	switch (operation.kind) {
		case "grant": {
			const { expiresAtMs } = operation;
			const options = expiresAtMs === undefined ? {} : { expiresAtMs };
			return ledger.grant(account, operation.operationId, operation.amountCredits, note, options);
		}
		case "adjust":
			return ledger.adjust(account, operation.operationId, operation.amountCredits, note);
		case "reserve": {
			const { holdId, amountCredits, overdraftCredits } = operation;
			return ledger.reserve(account, holdId, amountCredits, note, { overdraftCredits });
		}
		case "post":
			return ledger.post(account, operation.holdId, operation.amountCredits, note);
		case "void":
			return ledger.void(account, operation.holdId, note);
	}
}

function isSame(a: unknown, b: unknown): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}
