import { describe, expect, test } from "vitest";
import { memberAuthor } from "../../../src/services/access/change-author.ts";
import { MediaTimeoutError, MediaUnavailableError } from "../../../src/services/generation/media-api.ts";
import { finishedRemoteTask, runningRemoteTask } from "../../fakes/fake-media-api.ts";
import { CHARGED, GUILD, MINUTE_MS, SECOND_MS, setup, type Setup, textOf } from "./task-setup.ts";

const CANCELED = { state: "failed", code: "canceled", reason: "" } as const;

interface Scenario {
	/** The number of counted writes. The process crashes at each of them once with that write stored, and once with it lost. */
	readonly writeCount: number;
	/** Time from the submit until the store starts to count writes. Without it, the submit itself is counted. */
	readonly armedAfterMs?: number;
	readonly arrange?: (all: Setup) => unknown;
	/** Runs in the process that will crash, after the store has been armed. */
	readonly act?: (all: Setup, dying: Setup["process"]) => void;
	/** Time in which all counted writes happen. */
	readonly crashedWithinMs: number;
	readonly beforeRecovery?: (all: Setup) => void;
	readonly afterRecovery?: (all: Setup) => Promise<void>;
	/** The results that may follow from the crash: delivered and charged, failed without a charge, or no task at all. */
	readonly results: readonly ("charged" | "free" | undefined)[];
}

const scenarios: Record<string, Scenario> = {
	"a task that succeeds": { writeCount: 6, crashedWithinMs: 5 * SECOND_MS, results: ["charged", undefined] },
	"a task that fails, paid from two accounts": {
		writeCount: 5,
		armedAfterMs: SECOND_MS,
		arrange: ({ media, process }) => {
			media.answer = runningRemoteTask;
			const limit = { everyone: 8 };
			return process.settings.change(
				GUILD,
				(before) => ({ ...before, allowance: { ...before.allowance, ...limit } }),
				memberAuthor("1", "discord"),
			);
		},
		act: ({ media }) => void (media.answer = { state: "failed", code: "upstream_error", reason: "cuda" }),
		crashedWithinMs: 10 * SECOND_MS,
		results: ["free"],
	},
	"a task that its member cancels": {
		writeCount: 4,
		armedAfterMs: SECOND_MS,
		arrange: ({ media }) => void (media.answer = runningRemoteTask),
		act: ({ media }, dying) => {
			media.answerAfterCancel = CANCELED;
			dying.cancel().catch(() => {});
		},
		crashedWithinMs: 5 * SECOND_MS,
		async afterRecovery({ process, advance, taskNow }) {
			if ((await taskNow())?.cancel !== undefined) return;
			expect(await process.stateOf()).toBe("submitted");
			expect(await process.balance()).toMatchObject({ heldCredits: 4 });
			const canceled = process.cancel();
			await advance(5 * SECOND_MS);
			await canceled;
		},
		results: ["free"],
	},
	"a task at its deadline": {
		writeCount: 2,
		armedAfterMs: 9 * MINUTE_MS,
		arrange: ({ media }) => void (media.answer = runningRemoteTask),
		crashedWithinMs: 2 * MINUTE_MS,
		async afterRecovery({ media, advance }) {
			expect(media.cancels.length).toBeGreaterThan(0);
			media.answer = CANCELED;
			await advance(MINUTE_MS);
		},
		results: ["free"],
	},
	"a submission with an unknown outcome": {
		writeCount: 6,
		arrange({ media }) {
			media.honorsIdempotencyKey = false;
			media.failuresAfter.push(new MediaTimeoutError("lost"));
		},
		crashedWithinMs: 12 * MINUTE_MS,
		beforeRecovery({ media }) {
			media.failuresAfter.length = 0;
			media.finding = media.accepted.size > 0 ? { kind: "found", remoteId: "remote-1" } : { kind: "absent" };
		},
		results: ["charged", "free", undefined],
	},
};

const crashes = Object.entries(scenarios).flatMap(([name, scenario]) =>
	Array.from(
		{ length: scenario.writeCount * 2 },
		(_, n) => [name, Math.floor(n / 2), n % 2 === 1 ? "stored" : "lost", scenario] as const,
	),
);

test.each(crashes)(
	"%s, crashed at write %d (%s), is accepted by the service at most once, charged at most once, and answered once if it exists",
	async (_name, crashAtWrite, lastWrite, scenario) => {
		const fixture = setup();
		const { process, boot, bootCrashing, media, replyClient, openKeys, advance } = fixture;
		const { store, dying } = bootCrashing();
		const arm = (): void => store.arm(crashAtWrite, { lastIsWritten: lastWrite === "stored" });
		await scenario.arrange?.(fixture);
		if (scenario.armedAfterMs === undefined) arm();
		const isAccepted = await dying.submit().then(
			() => true,
			() => false,
		);
		await advance(scenario.armedAfterMs ?? 0);
		if (scenario.armedAfterMs !== undefined) arm();
		scenario.act?.(fixture, dying);
		await advance(scenario.crashedWithinMs);
		await dying.runner.stop();
		expect(store.hasCrashed).toBe(true);

		scenario.beforeRecovery?.(fixture);
		await process.runner.sweepOpenTasks();
		await advance(2 * MINUTE_MS);
		await scenario.afterRecovery?.(fixture);
		const isKnown = (await process.stateOf()) !== undefined;
		const isCharged = textOf(replyClient).includes("4 credits · 6 left");
		const resultOfTask = isCharged ? "charged" : "free";
		expect(isKnown || !isAccepted).toBe(true);
		expect(scenario.results).toContain(isKnown ? resultOfTask : undefined);
		expect(media.accepted.size).toBeLessThanOrEqual(isKnown ? 1 : 0);
		expect(replyClient.visible.size).toBe(isKnown ? 1 : 0);
		expect(await process.balance()).toMatchObject({ postedCredits: isCharged ? 6 : 10, heldCredits: 0 });
		await boot().runner.sweepOpenTasks();
		await advance(20 * MINUTE_MS);
		expect(await openKeys()).toStrictEqual([]);
	},
);

describe("the time that the bot is down does not count against the service", () => {
	test("a submission that the service did not receive before a crash is sent by the next process", async () => {
		const { bootCrashing, boot, media, advance, replyAndBalance } = setup();
		const { store, dying } = bootCrashing();
		media.submit = () => {
			store.arm(0);
			return Promise.reject(new MediaUnavailableError("connection closed"));
		};
		await dying.submit();
		await advance(SECOND_MS);
		await dying.runner.stop();
		expect(await boot().stateOf()).toBe("submitting");
		await advance(5 * MINUTE_MS);
		Reflect.deleteProperty(media, "submit");
		media.finding = { kind: "absent" };
		await boot().runner.sweepOpenTasks();
		await advance(10 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});

	test("a service that starts together with the bot gets the full retry time", async () => {
		const { process, restart, media, advance, replyAndBalance } = setup();
		media.failuresBefore.push(new MediaUnavailableError("ECONNREFUSED"));
		await process.submit();
		await advance(250);
		media.failuresBefore.push(new MediaUnavailableError("ECONNREFUSED"));
		await restart({ downMs: 5 * MINUTE_MS });
		await advance(10 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});
});

describe("two processes that run the same task", () => {
	test.each([
		["void the hold of a failure once", { state: "failed", code: "upstream_error", reason: "cuda" }, "void"],
		["charge a result once", finishedRemoteTask(), "post"],
	] as const)("%s and post one reply", async (_what, answer, lastEntry) => {
		const { process, boot, media, replyClient, advance } = setup();
		media.answer = runningRemoteTask;
		await process.submit();
		await boot().runner.sweepOpenTasks();
		await advance(SECOND_MS);
		media.answer = answer;
		await advance(MINUTE_MS);
		const entries = await process.ledger.history(`guild:${GUILD}`, { limit: 10 });
		expect(entries.map(({ kind }) => kind)).toStrictEqual([lastEntry, "reserve", "grant"]);
		expect(await process.balance()).toMatchObject({ heldCredits: 0 });
		expect(replyClient.visible.size).toBe(1);
	});
});
