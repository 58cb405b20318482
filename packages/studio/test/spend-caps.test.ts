/** Spend caps of keys, per period or forever. They are our choice. */
import { describe, expect, test } from "vitest";
import { createAuditor } from "@atelier/ledger/audit-store";
import { createLedger } from "@atelier/ledger/ledger";
import { openStore } from "@atelier/store/open-store";
import { currentCap, type SpendCap } from "../src/spend-cap.ts";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { REQUEST, setup, until, type SetupOptions } from "../testing/studio-setup.ts";

const DAY_MS = 86_400_000;
const PRICE = 4;
/** Enough for seven tasks. */
const SEVEN_PRICES = 7 * PRICE;
/** Above the number of writes of a submit and its task; a loop ends when a run passes without a crash. */
const WRITES_MAX = 40;

/** A studio whose account has enough credits, and a key with this cap. */
async function setupCapped(cap: SpendCap, options: SetupOptions = {}) {
	const studio = await setup({ credits: 1000, ...options });
	const { key } = await studio.studio.createKey({ account: "acme", name: "capped", cap });
	const submitCapped = (headers: Record<string, string> = {}, body: unknown = REQUEST) =>
		studio.call("POST", "/api/v1/generate", { body, headers, key });
	const readCap = async (): Promise<unknown> => (await studio.call("GET", "/api/v1/credits", { key })).body.data["cap"];
	return { ...studio, capped: key, submitCapped, readCap };
}

describe("a key with a cap", () => {
	test("spends at most its cap in concurrent submits to two processes on one store", async () => {
		const store = await openStore("memory:");
		const one = await setupCapped({ credits: SEVEN_PRICES, per: "ever" }, { store });
		const two = await setup({ store, clock: one.clock, mediaDir: one.mediaDir, credits: 0 });
		const replies = await Promise.all(
			Array.from({ length: 50 }, (_, index) =>
				(index % 2 === 0 ? one : two).call("POST", "/api/v1/generate", { body: REQUEST, key: one.capped }),
			),
		);
		expect(replies.filter(({ status }) => status === 200)).toHaveLength(7);
		expect(replies.filter(({ body }) => body.code === 40201)).toHaveLength(43);
		await until(one.readCap, (cap) => (cap as { reserved: number }).reserved === 0);
		expect(await one.readCap()).toStrictEqual({
			credits: SEVEN_PRICES,
			per: "ever",
			spent: SEVEN_PRICES,
			reserved: 0,
			available: 0,
			resetsAt: null,
		});
		expect(await one.readBalance()).toMatchObject({ postedCredits: 1000 - SEVEN_PRICES, heldCredits: 0 });
	});

	test("sees its remaining credits and when the cap resets", async () => {
		const { submitCapped } = await setupCapped({ credits: 7, per: "day" });
		expect((await submitCapped()).status).toBe(200);
		const rejected = await submitCapped();
		expect(rejected).toMatchObject({ status: 402, body: { code: 40201, data: null } });
		expect(rejected.body.message).toBe(
			"this costs 4 credits; this key may spend 7 a day, and 3 are left until 2026-01-02T00:00:00.000Z",
		);
	});

	test.each([
		["day", DAY_MS],
		["week", 7 * DAY_MS],
		["month", 31 * DAY_MS],
	] as const)("may spend again after its %s; a task counts in the period of its submit", async (per, ms) => {
		const engine = createFakeEngine({ script: [{ kind: "hang" }] });
		const limits = { runDeadlineMs: { image: 90 * DAY_MS, video: 1, music: 1 } };
		const { submitCapped, readCap, awaitStatus, awaitEnd, clock } = await setupCapped(
			{ credits: PRICE, per },
			{ engine, limits },
		);
		const taskId = String((await submitCapped()).body.data["taskId"]);
		await awaitStatus(taskId, "processing");
		expect((await submitCapped()).status).toBe(402);
		await clock.jump(ms);
		expect(await readCap()).toMatchObject({ spent: 0, reserved: 0, available: PRICE });
		engine.runs[0]?.finish();
		await awaitEnd(taskId);
		expect(await readCap()).toMatchObject({ spent: 0, available: PRICE });
		expect((await submitCapped()).status).toBe(200);
	});

	test("gets back the credits of failed and canceled tasks", async () => {
		const engine = createFakeEngine({ script: [{ kind: "fail", retryable: false }, { kind: "hang" }] });
		const { submitCapped, readCap, awaitStatus, awaitEnd, cancelTask } = await setupCapped(
			{ credits: PRICE, per: "ever" },
			{ engine },
		);
		await awaitEnd(String((await submitCapped()).body.data["taskId"]));
		expect(await readCap()).toMatchObject({ spent: 0, reserved: 0, available: PRICE });
		const taskId = String((await submitCapped()).body.data["taskId"]);
		await awaitStatus(taskId, "processing");
		expect(await readCap()).toMatchObject({ reserved: PRICE, available: 0 });
		await cancelTask(taskId);
		await awaitEnd(taskId);
		expect(await readCap()).toMatchObject({ spent: 0, reserved: 0, available: PRICE });
	});

	test("applies to its key only, and keys without a cap show none", async () => {
		const { submitCapped, submit, call } = await setupCapped({ credits: 1, per: "ever" });
		expect((await submitCapped()).status).toBe(402);
		expect((await submit()).status).toBe(200);
		expect((await call("GET", "/api/v1/credits")).body.data["cap"]).toBeNull();
	});

	test("cannot exceed the account's balance, and may retry a rejected submit with the same idempotency key", async () => {
		const { submitCapped, readCap, ledger } = await setupCapped({ credits: SEVEN_PRICES, per: "ever" }, { credits: 3 });
		const headers = { "idempotency-key": "one" };
		// More often than there are ids for an idempotency key.
		for (let tries = 0; tries < 60; tries++) {
			expect((await submitCapped(headers)).body.code).toBe(40200);
		}
		expect(await readCap()).toMatchObject({ spent: 0, reserved: 0, available: SEVEN_PRICES });
		await ledger.grant("studio:acme", "grant:more", 1, { by: "operator", reason: "more" });
		expect((await submitCapped(headers)).status).toBe(200);
	});

	test("is charged once for a repeated submit", async () => {
		const { submitCapped, readCap, awaitEnd } = await setupCapped({ credits: SEVEN_PRICES, per: "ever" });
		const headers = { "idempotency-key": "one" };
		const replies = await Promise.all(Array.from({ length: 10 }, () => submitCapped(headers)));
		const [taskId, ...others] = new Set(replies.map(({ body }) => body.data["taskId"]));
		expect(others).toStrictEqual([]);
		await awaitEnd(String(taskId));
		expect(await readCap()).toMatchObject({ spent: PRICE, reserved: 0 });
	});
});

test("a submit that crashed and is repeated with another API key holds no credits in the first key's cap", async () => {
	for (let writes = 0; ; writes++) {
		expect(writes).toBeLessThan(WRITES_MAX);
		const memory = await openStore("memory:");
		const store = createCrashingStore(memory);
		const one = await setupCapped({ credits: SEVEN_PRICES, per: "ever" }, { store });
		// A process that started earlier: only its next sweep finds the leftovers of the first one.
		const { clock, mediaDir } = one;
		const other = await setupCapped(
			{ credits: SEVEN_PRICES, per: "ever" },
			{ store: memory, clock, mediaDir, credits: 0 },
		);
		const headers = { "idempotency-key": "one" };
		store.arm(writes);
		const { status } = await one.submitCapped(headers);
		expect((await other.submitCapped(headers)).status).toBe(200);
		await clock.advance(30_000);
		const countOpenMarkers = async (): Promise<number> => (await Array.fromAsync(memory.scan("studio-open:"))).length;
		await until(countOpenMarkers, (open) => open === 0);
		const { body } = await other.call("GET", "/api/v1/credits", { key: one.capped });
		const [first, second] = [body.data["cap"], await other.readCap()] as { spent: number; reserved: number }[];
		expect([first?.reserved, second?.reserved]).toStrictEqual([0, 0]);
		const { postedCredits, heldCredits } = await other.readBalance();
		expect([postedCredits, heldCredits]).toStrictEqual([1000 - PRICE, 0]);
		expect((first?.spent ?? 0) + (second?.spent ?? 0)).toBe(PRICE);
		if (status === 200) return;
	}
});

test.each([false, true])(
	"a crash at any write leaves cap and account consistent (last is written: %s)",
	async (last) => {
		for (let writes = 0; ; writes++) {
			expect(writes).toBeLessThan(WRITES_MAX);
			const memory = await openStore("memory:");
			const store = createCrashingStore(memory);
			const clock = createManualClock();
			const before = await setupCapped({ credits: SEVEN_PRICES, per: "ever" }, { store, clock });
			store.arm(writes, { lastIsWritten: last });
			await before.submitCapped();
			const countOpenMarkers = async (): Promise<number> => (await Array.fromAsync(memory.scan("studio-open:"))).length;
			await until(
				async () => store.hasCrashed || (await countOpenMarkers()) === 0,
				(over) => over,
			);
			const hasCrashed = store.hasCrashed;
			const after = await setup({ store: memory, clock, mediaDir: before.mediaDir, credits: 0 });
			await until(countOpenMarkers, (open) => open === 0);
			const { body } = await after.call("GET", "/api/v1/credits", { key: before.capped });
			const { postedCredits, heldCredits } = await createLedger({ store: memory, clock }).balance("studio:acme");
			expect(body.data["cap"]).toMatchObject({ spent: 1000 - postedCredits, reserved: 0 });
			expect(heldCredits).toBe(0);
			const audits = await Array.fromAsync(createAuditor({ store: memory }).all());
			expect(audits.flatMap(({ findings }) => findings)).toStrictEqual([]);
			if (!hasCrashed) return;
		}
	},
);

describe("periods are calendar periods in UTC", () => {
	test.each([
		["day", "2026-11-22T23:59:59.999Z", "day-2026-11-22", "2026-11-23"],
		["day", "2026-11-23T00:00:00.000Z", "day-2026-11-23", "2026-11-24"],
		["week", "2026-11-22T12:00:00Z", "week-2026-11-16", "2026-11-23"],
		["week", "2026-11-23T00:00:00Z", "week-2026-11-23", "2026-11-30"],
		["month", "2026-12-31T23:00:00Z", "month-2026-12-01", "2027-01-01"],
		["month", "2028-02-29T00:00:00Z", "month-2028-02-01", "2028-03-01"],
		["ever", "2026-11-22T12:00:00Z", "ever", null],
	] as const)("the period %s at %s is %s", (per, now, label, resets) => {
		expect(currentCap({ id: "k", cap: { credits: 5, per } }, Date.parse(now))).toStrictEqual({
			credits: 5,
			per,
			account: `studio-cap:k:${label}`,
			resetsAtMs: resets === null ? null : Date.parse(resets),
		});
	});
});
