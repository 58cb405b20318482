/**
 * Simulates tasks on several processes that share a disk, a media service and Discord, in virtual time. Each call of them may
 * fail before or after its effect, take effect later or crash its process. Processes stop, or lose the disk for minutes. The
 * disk gets full. Commands arrive twice; members cancel tasks, delete replies and remove access. After the last fault, every task
 * ends correctly. A seed determines the run.
 */
import assert from "node:assert/strict";
import { createCanvas } from "@napi-rs/canvas";
import { pino } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Store } from "@atelier/store/store";
import { createDiscordReplyClient } from "../../../src/discord/discord-reply-client.ts";
import { createFairSemaphore } from "../../../src/services/delivery/fair-semaphore.ts";
import { DownloadFailedError } from "@atelier/common/download";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { isStoreFailure } from "@atelier/store/store-errors";
import { createSettingsStore, type SettingsStore } from "../../../src/services/settings/settings-store.ts";
import type { GuildSettings } from "../../../src/services/settings/guild-settings.ts";
import { requestCancel } from "../../../src/services/tasks/change-task.ts";
import { isPending } from "../../../src/services/tasks/task.ts";
import type { TaskRunner } from "../../../src/services/tasks/task-runner.ts";
import type { Submission, SubmissionService } from "../../../src/services/tasks/submission-service.ts";
import type { TaskStore } from "../../../src/services/tasks/task-store.ts";
import type { ResultReviewer } from "../../../src/services/moderation/result-reviewer.ts";
import { UserError } from "../../../src/services/user-error.ts";
import { passThroughTranscoder } from "../../fakes/pass-through-transcoder.ts";
import { createMemoryResultStore } from "../../fakes/memory-result-store.ts";
import { submission as exampleSubmission } from "../../fakes/submission.ts";
import { createEventQueue, runEvent } from "../event-queue.ts";
import { createDisk, type ProcessState } from "../faulty-disk.ts";
import { createRandom, drawRates } from "../random.ts";
import { InvariantError } from "../invariants.ts";
import type { SimulationResult } from "../ledger-simulation.ts";
import { createTaskProcess } from "../../services/tasks/task-process.ts";
import { createFaultyCall, type CallRates } from "./faulty-call.ts";
import { BOT_USER_ID, createFaultyDiscord, type DeliveryObstacle } from "./faulty-discord.ts";
import { createFaultyService } from "./faulty-service.ts";
import { createTaskObservations } from "./task-invariants.ts";

export interface TaskSimulationOptions {
	readonly seed: number;
	readonly steps: number;
	/** The service announces idempotency keys, but ignores them: a deliberate bug, to check that the simulation finds it. */
	readonly ignoresKeys?: boolean;
}

const PROCESSES = 2;
/** The clock of a process differs by up to this much. */
const SKEW_MS_MAX = 50;
const GUILDS = ["1000000000000000001", "1000000000000000002"] as const;
const MEMBERS = 3;
const MONTHLY_CREDITS = 60;
/** The first server limits its members, so that a task there is paid from two accounts. */
const MEMBER_CREDITS = 15;
/** The longest time between two commands. */
const COMMANDS_APART_MS_MAX = 15_000;
/** Commands of members who act at once. */
const BURST_COMMANDS = 8;
const UPLOADED_AT_ONCE_BYTES = 1024 * 1024;
/** The obstacles to a reply; more than half of the replies have no obstacle. */
const OBSTACLES: readonly DeliveryObstacle[] = [
	"none",
	"none",
	"none",
	"none",
	"reply deleted",
	"bot without access",
	"channel gone",
];
/** The timeout of the adapters. */
const CALL_TIMEOUT_MS = 15_000;
const CUT_OFF_MS_MAX = 5 * 60_000;
const FULL_DISK_MS_MAX = 60_000;
/** After the last fault, every task ends within this number of events. */
const HEALING_EVENTS_MAX = 200_000;
const DISK_RATES_MAX = {
	failBefore: 0.02,
	reject: 0.02,
	failAfter: 0.02,
	failThenApply: 0.02,
	crashBefore: 0.005,
	crashAfter: 0.005,
	slow: 0.05,
};
const CALL_RATES_MAX = {
	unreachable: 0.1,
	noResponse: 0.1,
	serverError: 0.1,
	crashBefore: 0.02,
	crashAfter: 0.02,
	slow: 0.1,
};
/** The probability of each event at an opportunity. */
const CHANCES = {
	brokenLink: 0.1,
	interruptedDownload: 0.05,
	burst: 0.1,
	repeatedCommand: 0.15,
	cancel: 0.2,
	callback: 0.3,
	timeJump: 0.3,
	crash: 0.3,
	stop: 0.3,
	cutOff: 0.3,
	fullDisk: 0.3,
};
const png = createCanvas(4, 4).toBuffer("image/png");
const logger = pino({ level: "silent" });

interface Process {
	readonly processState: ProcessState;
	/** Stops the process gracefully; the next one starts soon after. */
	readonly stop: () => void;
	readonly service: SubmissionService;
	readonly taskStore: TaskStore;
	readonly runner: TaskRunner;
	/** Repeats of the requests that the process has not accepted; the next process runs them. */
	readonly unaccepted: Set<() => void>;
}

/** Runs the simulation of tasks. Throws an `InvariantError` if an invariant is violated. */
export async function simulateTasks({
	seed,
	steps,
	ignoresKeys = false,
}: TaskSimulationOptions): Promise<SimulationResult> {
	const random = createRandom(seed);
	const queue = createEventQueue();
	const eventCounts: Record<string, number> = {};
	const startMs = Date.UTC(2026, 0, 1);
	let clockOffsetMs = 0;
	/** From then on members type no commands, and nothing fails. */
	let haveFaultsEnded = false;
	let commands = 0;
	let failure: unknown;
	const countEvent = (event: string): void => void (eventCounts[event] = (eventCounts[event] ?? 0) + 1);
	const wallMs = (): number => startMs + queue.nowMs + clockOffsetMs;

	const disk = createDisk({
		queue,
		random,
		rates: drawRates(random, 0.4, DISK_RATES_MAX),
		onWrite: (...write) => observations.documentWritten(...write),
	});
	const callOf = (rates: CallRates) =>
		createFaultyCall({ queue, random, rates, haveFaultsEnded: () => haveFaultsEnded, timeoutMs: CALL_TIMEOUT_MS });
	const honorsIdempotencyKey = random.chance(0.5);
	/** Without a review, uploads start during the download. */
	const isReviewed = random.chance(0.5);
	const media = createFaultyService({
		queue,
		random,
		call: callOf(drawRates(random, 0.3, CALL_RATES_MAX)),
		haveFaultsEnded: () => haveFaultsEnded,
		honorsIdempotencyKey,
		ignoresKeys,
		canCancel: random.chance(0.5),
		onAccepted: (task) => observations.submitAccepted(task.key),
	});
	const discord = createFaultyDiscord({
		queue,
		random,
		call: callOf(drawRates(random, 0.3, CALL_RATES_MAX)),
		wallMs,
		onVisibleChange: (id) => observations.replyChanged(id),
		onExpiredToken: () => observations.expiredTokenUsed(),
		countEvent,
	});
	const observations = createTaskObservations({ disk, discord, media, countEvent });
	const results = createMemoryResultStore();
	const processes = Array.from({ length: PROCESSES }, () => boot());

	function clockOf(processState: ProcessState): Clock {
		const skewMs = random.between(-SKEW_MS_MAX, SKEW_MS_MAX);
		return {
			nowMs: () => wallMs() + skewMs,
			sleep: (delayMs, signal) =>
				new Promise((resolve, reject) => {
					if (signal?.aborted) return reject(signal.reason);
					const stop = (): void => reject(signal?.reason);
					signal?.addEventListener("abort", stop, { once: true });
					return queue.plan(delayMs, () => {
						signal?.removeEventListener("abort", stop);
						if (!processState.isDead) resolve();
					});
				}),
		};
	}

	function boot(): Process {
		const unaccepted = new Set<() => void>();
		const end = (how: "crash" | "stop"): void => {
			if (processState.isDead) return;
			countEvent(how);
			processState.isDead = true;
			queue.plan(random.between(100, 5000), () => {
				processes[processes.indexOf(process)] = boot();
				for (const retry of unaccepted) retry();
			});
		};
		const processState: ProcessState = { isDead: false, isCutOff: false, crash: () => end("crash") };
		const clock = clockOf(processState);
		const store = createKeyvStore(disk.storageFor(processState));
		const resultReviewer: ResultReviewer = {
			async review({ id }) {
				observations.resultReviewed(processState, id);
				if (!haveFaultsEnded && random.chance(CHANCES.fullDisk)) fillDisk();
				return { kind: "show", isSpoiler: false };
			},
		};
		const { taskStore, runner, service } = createTaskProcess({
			store,
			settings: settingsOf(store, clock),
			clock,
			random: () => random.next(),
			logger,
			media: media.mediaApiFor(processState),
			replyClient: createDiscordReplyClient({
				rest: discord.restFor(processState),
				uploadSemaphore: createFairSemaphore(UPLOADED_AT_ONCE_BYTES),
				botUserId: () => BOT_USER_ID,
				clock,
				logger,
			}),
			results,
			async *download(_url, _signal, onSize) {
				if (!haveFaultsEnded && random.chance(CHANCES.brokenLink))
					throw new DownloadFailedError("simulated: link broken");
				onSize?.(png.byteLength);
				const halfBytes = Math.floor(png.byteLength / 2);
				yield png.subarray(0, halfBytes);
				if (!haveFaultsEnded && random.chance(CHANCES.interruptedDownload))
					throw new DownloadFailedError("simulated: download interrupted");
				yield png.subarray(halfBytes);
			},
			transcoder: passThroughTranscoder,
			resultReviewer: isReviewed ? resultReviewer : undefined,
			withheldNotices: { post: async () => "rejected" },
			textPoster: { post: async () => "1", remove: async () => {} },
			monthlyCredits: MONTHLY_CREDITS,
			pollsPerSecond: 20,
			isStoreShared: true,
		});
		const stop = (): void => void runner.stop().then(() => end("stop"));
		const process: Process = { processState, stop, unaccepted, taskStore, runner, service };
		sweepOrCrash();
		return process;

		function sweepOrCrash(): void {
			runner.sweepOpenTasks().catch((error: unknown) => {
				if (processState.isDead) return;
				// A process that cannot read its tasks does not start; the operator starts it again.
				if (isStoreFailure(error)) processState.crash();
				else failure ??= error;
			});
		}
	}

	function generateCommands(): void {
		if (haveFaultsEnded) return;
		queue.plan(random.between(0, COMMANDS_APART_MS_MAX), generateCommands);
		// Occasionally many members act at once.
		const commandCount = random.chance(CHANCES.burst) ? BURST_COMMANDS : 1;
		for (let n = 0; n < commandCount; n++) typeCommand();
	}

	function typeCommand(): void {
		commands += 1;
		const id = String(3_000_000_000_000_000_000n + BigInt(commands));
		const mediaType = random.pick(["image", "image", "music", "video"] as const);
		const reply = discord.reply(id, random.pick(OBSTACLES));
		const submission: Submission = {
			...exampleSubmission,
			id,
			guildId: random.pick(GUILDS),
			userId: String(random.between(1, MEMBERS)),
			reply,
			channel: { channelIds: [reply.channelId], isAgeRestricted: false },
			request: {
				...exampleSubmission.request,
				mediaType,
				prompt: `a boat with the number ${commands}`,
				costCredits: random.between(0, 9),
				typicalSeconds: 30,
			},
		};
		observations.requested(submission);
		submit(submission);
		// Discord may deliver an event twice, also to two processes.
		if (random.chance(CHANCES.repeatedCommand)) queue.plan(random.between(0, 3000), () => submit(submission));
		if (random.chance(CHANCES.cancel)) queue.plan(random.between(0, 120_000), () => cancel(id));
		// Callbacks may arrive early, late, twice, or without an ended task.
		if (random.chance(CHANCES.callback))
			queue.plan(random.between(0, 300_000), () => random.pick(processes).runner.wake(id));
	}

	function submit(submission: Submission): void {
		const runningProcesses = processes.filter(({ processState }) => !processState.isDead);
		const retry = (): void => queue.plan(random.between(10, 500), () => submit(submission));
		if (runningProcesses.length === 0) return retry();
		const { service, processState, unaccepted } = random.pick(runningProcesses);
		unaccepted.add(retry);
		service.submit(submission, logger).then(
			() => {
				if (processState.isDead) return undefined;
				unaccepted.delete(retry);
				return observations.acknowledged(submission.id);
			},
			(error: unknown) => {
				if (processState.isDead) return undefined;
				unaccepted.delete(retry);
				if (isFault(error)) return retry();
				if (error instanceof UserError) return observations.denied(submission.id, error.messageDescriptor.key);
				failure ??= error;
				return undefined;
			},
		);
	}

	/** A member cancels; after a failure the member gives up. */
	function cancel(taskId: string): void {
		const { taskStore, runner, processState } = random.pick(processes);
		requestCancel(taskStore, taskId, { by: "member", atMs: wallMs() }).then(
			(task) => {
				if (processState.isDead || !task) return undefined;
				countEvent(`cancel: ${isPending(task) ? "requested" : "too late"}`);
				return runner.wake(taskId);
			},
			(error: unknown) => {
				if (!processState.isDead && !isFault(error)) failure ??= error;
			},
		);
	}

	/** Makes the clock jump, and processes crash, stop or lose the disk, now and then. */
	function disturb(): void {
		if (haveFaultsEnded) return;
		queue.plan(random.between(10_000, 600_000), disturb);
		if (random.chance(CHANCES.timeJump)) {
			countEvent("time jump");
			clockOffsetMs += random.pick([1000, 60_000, 20 * 60_000, 86_400_000, -2000]);
		}
		if (random.chance(CHANCES.crash)) random.pick(processes).processState.crash();
		if (random.chance(CHANCES.stop)) random.pick(processes).stop();
		if (random.chance(CHANCES.cutOff)) cutOff(random.pick(processes).processState);
	}

	function cutOff(processState: ProcessState): void {
		countEvent("cut off");
		processState.isCutOff = true;
		queue.plan(random.between(1000, CUT_OFF_MS_MAX), () => void (processState.isCutOff = false));
	}

	function fillDisk(): void {
		countEvent("full disk");
		disk.setFull(true);
		queue.plan(random.between(1000, FULL_DISK_MS_MAX), () => disk.setFull(false));
	}

	async function step(event: () => void): Promise<void> {
		await runEvent(event);
		observations.check();
		if (failure !== undefined) throw failure;
	}

	queue.plan(0, generateCommands);
	queue.plan(0, disturb);
	for (let stepsTaken = 0; stepsTaken < steps; stepsTaken++) {
		const run = queue.next();
		assert(run, "the event queue is empty before the last step");
		await step(run);
	}
	haveFaultsEnded = true;
	disk.heal();
	// Running processes complete the tasks that are open. A stopped one is replaced first: the next repeats its unaccepted requests.
	for (
		let events = 0;
		!observations.haveAllEnded() || processes.some(({ processState }) => processState.isDead);
		events++
	) {
		if (events > HEALING_EVENTS_MAX)
			throw new InvariantError(`still open long after the last fault: ${observations.openTaskIds().join(", ")}`);
		const run = queue.next();
		if (!run)
			throw new InvariantError(`the event queue is empty, but still open: ${observations.openTaskIds().join(", ")}`);
		await step(run);
	}
	await observations.checkEnd();
	return { seed, steps, eventCounts };
}

/** Returns whether the simulated disk caused the error. */
function isFault(error: unknown): boolean {
	for (let each = error; each instanceof Error; each = each.cause) if (isStoreFailure(each)) return true;
	return false;
}

/** Returns the settings of the store, with a limit for the members of the first server. */
function settingsOf(store: Store, clock: Clock): SettingsStore {
	const settings = createSettingsStore(store, { clock });
	const read = async (guildId: string): Promise<GuildSettings> => {
		const stored = await settings.read(guildId);
		const everyone = guildId === GUILDS[0] ? MEMBER_CREDITS : null;
		return { ...stored, allowance: { ...stored.allowance, everyone } };
	};
	return { ...settings, read };
}
