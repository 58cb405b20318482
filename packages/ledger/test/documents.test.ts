import { describe, expect, test, vi } from "vitest";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import type { Store } from "@atelier/store/store";
import { createLedger } from "../src/create-ledger.ts";
import { accountKey } from "../src/journal.ts";
import type { BalanceDependentChange } from "../src/ledger.ts";
import { GUILD, newDocument, note, outcome, setup } from "./setup.ts";

async function documentsIn(store: Store): Promise<unknown[]> {
	return (await Array.fromAsync(store.scan(""))).flatMap(({ key, value }) => (/^(task|open):/.test(key) ? value : []));
}

describe("a document written with a hold", () => {
	const alsoWrite = [newDocument("task:t1", "a task"), newDocument("open:t1", "its mark")];

	test("is returned as it is stored, also if several operations share the write", async () => {
		const { store, ledger } = await setup();
		const results = await Promise.all([
			ledger.reserve(GUILD, "t0", 1, note, { alsoWrite: [newDocument("task:t0", "another task")] }),
			ledger.adjust(GUILD, "adjust:1", 1, note),
			ledger.reserve(GUILD, "t1", 4, note, { alsoWrite }),
		]);
		const rawOf = async (key: string) => (await store.get(key))?.raw;
		expect(results.map(({ raws }) => raws)).toStrictEqual([
			[await rawOf("task:t0")],
			[],
			[await rawOf("task:t1"), await rawOf("open:t1")],
		]);
	});

	test("is not read if only operations without documents are rejected", async () => {
		const { store, ledger } = await setup();
		const read = vi.spyOn(store, "get");
		const outcomes = [
			outcome(ledger.reserve(GUILD, "t1", 4, note, { alsoWrite })),
			outcome(ledger.adjust(GUILD, "adjust:1", -400, note)),
		];
		expect(await Promise.all(outcomes)).toStrictEqual(["applied", "exceeds_credits"]);
		expect(read).not.toHaveBeenCalledWith("task:t1");
	});

	test("is not stored if the hold is already open, and nothing moves", async () => {
		const { store, ledger } = await setup();
		await ledger.reserve(GUILD, "t1", 4, note);
		expect(await outcome(ledger.reserve(GUILD, "t1", 4, note, { alsoWrite }))).toBe("not_new");
		expect(await documentsIn(store)).toStrictEqual([]);
		expect(await ledger.balance(GUILD)).toMatchObject({ heldCredits: 4 });
	});

	test.each(["has", "has not"])(
		"whose key exists is reported also without credits, by a ledger that %s read the account",
		async (has) => {
			const { store, clock, ledger } = await setup();
			await store.set("open:t1", "the same request, in another process");
			const asked = has === "has" ? ledger : createLedger({ store, clock });
			// The first is applied by the same write.
			const both = [asked.reserve(GUILD, "t0", 1, note), asked.reserve(GUILD, "t1", 400, note, { alsoWrite })];
			expect(await Promise.all(both.map(outcome))).toStrictEqual(["applied", "not_new"]);
		},
	);

	test("is not stored if one of its keys exists: no hold begins, and concurrent holds are not affected", async () => {
		const { store, ledger } = await setup();
		await store.set("open:t1", "another user's");
		const asked = await Promise.allSettled([
			ledger.reserve(GUILD, "t0", 1, note, { alsoWrite: [newDocument("task:t0", "another task")] }),
			ledger.reserve(GUILD, "t1", 4, note, { alsoWrite }),
			ledger.reserve(GUILD, "t2", 2, note),
			ledger.reserve(GUILD, "t3", 2, note, { alsoWrite: [newDocument("task:t0", "the task of another hold")] }),
		]);
		const rejection = { reason: { code: "not_new" } };
		expect(asked).toMatchObject([{ status: "fulfilled" }, rejection, { status: "fulfilled" }, rejection]);
		expect(await ledger.balance(GUILD)).toMatchObject({ heldCredits: 3 });
		expect(await documentsIn(store)).toStrictEqual(["another user's", "another task"]);
	});
});

/** Reserves a hold, and prepares a document that is written with its end. */
async function setupHold() {
	const context = await setup();
	await context.ledger.reserve(GUILD, "t1", 4, note);
	await context.store.set("task:t1", "open");
	const raw = (await context.store.get("task:t1"))?.raw;
	const document: BalanceDependentChange = {
		key: "task:t1",
		expectedRaw: raw,
		nextWith: ({ availableCredits }) => `ended, ${availableCredits} left`,
	};
	return { ...context, alsoWrite: [document] };
}

describe("a document written with the end of a hold", () => {
	test.each([
		["post", 7],
		["void", 10],
	] as const)("is stored with the %s, and receives the new balance", async (kind, leftCredits) => {
		const { store, ledger, alsoWrite } = await setupHold();
		if (kind === "post") await ledger.post(GUILD, "t1", 3, note, { alsoWrite });
		else await ledger.void(GUILD, "t1", note, { alsoWrite });
		expect(await documentsIn(store)).toStrictEqual([`ended, ${leftCredits} left`]);
		expect(await ledger.balance(GUILD)).toMatchObject({ availableCredits: leftCredits, heldCredits: 0 });
	});

	test("is not stored if the key has another value: the hold stays open, and a concurrent hold is not affected", async () => {
		const { store, ledger, alsoWrite } = await setupHold();
		await store.set("task:t1", "canceled");
		const asked = await Promise.allSettled([
			ledger.post(GUILD, "t1", 4, note, { alsoWrite }),
			ledger.reserve(GUILD, "t2", 2, note),
		]);
		expect(asked).toMatchObject([{ reason: { code: "not_new" } }, { status: "fulfilled" }]);
		expect(await documentsIn(store)).toStrictEqual(["canceled"]);
		expect(await ledger.balance(GUILD)).toMatchObject({ postedCredits: 10, heldCredits: 6 });
	});

	test("is not stored if the hold has ended already, or cannot end that way", async () => {
		const { store, ledger, alsoWrite } = await setupHold();
		expect(await outcome(ledger.post(GUILD, "t1", 5, note, { alsoWrite }))).toBe("exceeds_hold");
		await ledger.post(GUILD, "t1", 4, note);
		expect(await outcome(ledger.post(GUILD, "t1", 4, note, { alsoWrite }))).toBe("not_new");
		expect(await outcome(ledger.void(GUILD, "t1", note, { alsoWrite }))).toBe("already_posted");
		expect(await documentsIn(store)).toStrictEqual(["open"]);
	});

	test("is stored once if several ledgers on one store end the same hold", async () => {
		const { store, clock, alsoWrite } = await setupHold();
		const ledgers = Array.from({ length: 5 }, () => createLedger({ store, clock }));
		const asked = await Promise.allSettled(ledgers.map((each) => each.post(GUILD, "t1", 4, note, { alsoWrite })));
		expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
		expect(await createLedger({ store, clock }).balance(GUILD)).toMatchObject({ postedCredits: 6, heldCredits: 0 });
		expect(await documentsIn(store)).toStrictEqual(["ended, 6 left"]);
	});
});

test("a document written with a grant is stored once, and not with a repeated grant", async () => {
	const { store, ledger } = await setup();
	const alsoWrite = [newDocument("task:t1", "granted")];
	const grant = (): Promise<unknown> => ledger.grant(GUILD, "grant:second", 5, note, { alsoWrite });
	expect(await Promise.all([outcome(grant()), outcome(grant())])).toStrictEqual(["applied", "not_new"]);
	await store.delete("task:t1");
	expect(await outcome(grant())).toBe("not_new");
	expect(await documentsIn(store)).toStrictEqual([]);
	expect(await ledger.balance(GUILD)).toMatchObject({ availableCredits: 15 });
});

test("a corrupt document rejects its operation, and not the others of the batch", async () => {
	const storage = createMemoryAdapter();
	const store = createKeyvStore(storage);
	await storage.set("task:t1", "nonsense");
	const { ledger } = await setup({ credits: 10, store });
	const outcomes = [
		outcome(ledger.reserve(GUILD, "t1", 4, note, { alsoWrite: [newDocument("task:t1", "a task")] })),
		outcome(ledger.reserve(GUILD, "t2", 4, note)),
	];
	expect(await Promise.all(outcomes)).toStrictEqual([expect.stringContaining("CorruptDocumentError"), "applied"]);
});

test("fields of a later version stay when an earlier one writes", async () => {
	const { store, clock, ledger } = await setup();
	await ledger.grant(GUILD, "grant:month", 10, note, { expiresAtMs: clock.nowMs() + 1000 });
	await ledger.reserve(GUILD, "t1", 15, note);
	const isLater = { later: true };
	const later = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(later);
		if (typeof value !== "object" || value === null) return value;
		return Object.fromEntries([...Object.entries(value).map(([key, each]) => [key, later(each)]), ["later", true]]);
	};
	const key = accountKey(GUILD);
	await store.set(key, later((await store.get(key))?.value));
	await createLedger({ store, clock }).adjust(GUILD, "adjust:1", 1, note);
	expect((await store.get(key))?.value).toMatchObject({
		...isLater,
		shares: [],
		holds: [{ ...isLater, shares: [isLater] }],
		entries: [isLater, isLater, isLater, { operationId: "adjust:1" }],
	});
});
