/** Spend caps of keys, per period or forever. They are our choice. */
import { expect, test } from "vitest";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import { currentCap, type SpendCap } from "../src/spend-cap.ts";
import { createFakeEngine, HANG, PERMANENT_FAILURE } from "../testing/fake-engine.ts";
import { openAnother, REQUEST, setup, until, type SetupOptions } from "../testing/studio-setup.ts";

const DAY_MS = 86_400_000;
const PRICE = 4;
/** Enough for seven tasks. */
const SEVEN_PRICES = 7 * PRICE;
const WITH_ID = { "idempotency-key": "one" };

/** A studio whose account has enough credits, and a key with this cap. */
async function setupCapped(cap: SpendCap, options: SetupOptions = {}) {
	const studio = await setup({ credits: 1000, ...options });
	const { key } = await studio.studio.keys.create({ account: "acme", name: "capped", cap });
	const submitCapped = (headers: Record<string, string> = {}) =>
		studio.call("POST", "/api/v1/generate", { body: REQUEST, headers, key });
	const readCap = async () =>
		(await studio.call("GET", "/api/v1/credits", { key })).body.data["cap"] as { spent: number; reserved: number };
	return { ...studio, capped: key, submitCapped, readCap };
}

test("concurrent submits to two processes spend at most the cap", async () => {
	const cap = { credits: SEVEN_PRICES, per: "ever" } as const;
	const one = await setupCapped(cap);
	const two = await openAnother(one);
	const submit = (index: number) =>
		(index % 2 === 0 ? one : two).call("POST", "/api/v1/generate", { body: REQUEST, key: one.capped });
	const replies = await Promise.all(Array.from({ length: 50 }, (_, index) => submit(index)));
	expect(replies.filter(({ status }) => status === 200)).toHaveLength(7);
	expect(replies.filter(({ body }) => body.code === 40201)).toHaveLength(43);
	await until(one.readCap, ({ reserved }) => reserved === 0);
	const spent = { ...cap, spent: SEVEN_PRICES, reserved: 0, available: 0, resetsAt: null };
	expect(await one.readCap()).toStrictEqual(spent);
	expect(await one.readBalance()).toMatchObject({ postedCredits: 1000 - SEVEN_PRICES, heldCredits: 0 });
});

test("a rejected submit says what is left and until when, and other keys are not limited", async () => {
	const { submitCapped, submit, call } = await setupCapped({ credits: 7, per: "day" });
	expect((await submitCapped()).status).toBe(200);
	const message = "this costs 4 credits; this key may spend 7 a day, and 3 are left until 2026-01-02T00:00:00.000Z";
	expect(await submitCapped()).toMatchObject({ status: 402, body: { code: 40201, data: null, message } });
	expect((await submit()).status).toBe(200);
	expect((await call("GET", "/api/v1/credits")).body.data["cap"]).toBeNull();
});

test("a rejected submit may be repeated with its idempotency key once there are credits", async () => {
	const { submitCapped, readCap, ledger } = await setupCapped({ credits: PRICE, per: "ever" }, { credits: 3 });
	expect((await submitCapped(WITH_ID)).body.code).toBe(40200);
	expect(await readCap()).toMatchObject({ spent: 0, reserved: 0, available: PRICE });
	await ledger.grant("studio:acme", "grant:more", 1, { by: "operator", reason: "more" });
	expect((await submitCapped(WITH_ID)).status).toBe(200);
	expect((await submitCapped(WITH_ID)).headers["idempotency-replayed"]).toBe("true");
});

test("a task counts in the period of its submit, and costs the cap nothing if it fails or is canceled", async () => {
	const engine = createFakeEngine({ script: [PERMANENT_FAILURE, HANG, HANG] });
	const limits = { runDeadlineMs: { image: 90 * DAY_MS, video: 1, music: 1 } };
	const studio = await setupCapped({ credits: PRICE, per: "day" }, { engine, limits });
	const { submitCapped, readCap, awaitStatus, awaitEnd, cancelTask, clock } = studio;
	const submitRunning = async (): Promise<string> => {
		const taskId = String((await submitCapped()).body.data["taskId"]);
		await awaitStatus(taskId, "processing");
		expect(await readCap()).toMatchObject({ reserved: PRICE, available: 0 });
		return taskId;
	};
	await awaitEnd(String((await submitCapped()).body.data["taskId"]));
	const canceled = await submitRunning();
	await cancelTask(canceled);
	await awaitEnd(canceled);
	const finished = await submitRunning();
	await clock.jump(DAY_MS);
	expect(await readCap()).toMatchObject({ spent: 0, reserved: 0, available: PRICE });
	engine.runs[2]?.finish();
	await awaitEnd(finished);
	expect(await readCap()).toMatchObject({ spent: 0, available: PRICE });
});

test.each([
	["succeeds", 1000 - PRICE],
	["is canceled", 1000],
])("a task that %s ends its hold in the account also if the cap is corrupt", async (end, left) => {
	const storage = createMemoryAdapter();
	const store = createKeyvStore(storage);
	const engine = createFakeEngine({ script: [HANG] });
	const cap = { credits: SEVEN_PRICES, per: "ever" } as const;
	const { submitCapped, awaitStatus, cancelTask, readBalance } = await setupCapped(cap, { store, engine });
	const taskId = String((await submitCapped()).body.data["taskId"]);
	await awaitStatus(taskId, "processing");
	const [capAccount] = await Array.fromAsync(store.scan("account:studio-cap:"));
	await storage.set(String(capAccount?.key), "cut sho");
	if (end === "succeeds") engine.runs[0]?.finish();
	else await cancelTask(taskId);
	await until(readBalance, ({ heldCredits }) => heldCredits === 0);
	expect(await readBalance()).toMatchObject({ postedCredits: left });
});

test.each([
	["day", "2026-11-22T23:59:59.999Z", "day-2026-11-22", "2026-11-23"],
	["week", "2026-11-22T12:00:00Z", "week-2026-11-16", "2026-11-23"],
	["week", "2026-11-23T00:00:00Z", "week-2026-11-23", "2026-11-30"],
	["month", "2026-12-31T23:00:00Z", "month-2026-12-01", "2027-01-01"],
	["ever", "2026-11-22T12:00:00Z", "ever", null],
] as const)("the period %s at %s is %s, in UTC", (per, now, label, resets) => {
	const resetsAtMs = resets === null ? null : Date.parse(resets);
	const account = `studio-cap:k:${label}`;
	const cap = { credits: 5, per };
	expect(currentCap({ id: "k", cap }, Date.parse(now))).toStrictEqual({ ...cap, account, resetsAtMs });
});
