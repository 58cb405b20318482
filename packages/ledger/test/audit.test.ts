import { describe, expect, test } from "vitest";
import { accountSchema, type Account } from "../src/account.ts";
import { createJournalAudit, type AuditFinding } from "../src/audit-account.ts";
import { createAuditor, type HoldTaskState } from "../src/audit-store.ts";
import type { Entry } from "../src/ledger.ts";
import type { ScanOptions, Store } from "@atelier/store/store";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { GUILD, note, setup as setupLedger } from "./setup.ts";

/** An account with every kind of operation in its history, of which it contains only the newest entries. */
async function setup() {
	const { store, clock, ledger } = await setupLedger({ credits: 40 });
	await ledger.grant(GUILD, "grant:2", 10, note, { expiresAtMs: clock.nowMs() + 1000 });
	await ledger.reserve(GUILD, "t1", 4, note);
	await ledger.reserve(GUILD, "t2", 5, note);
	await ledger.post(GUILD, "t1", 3, note);
	await ledger.void(GUILD, "t2", note);
	await clock.advance(2000);
	await ledger.adjust(GUILD, "adjust:1", -2, note);
	for (let n = 3; n <= 20; n++) await ledger.reserve(GUILD, `t${n}`, 1, note);
	await ledger.void(GUILD, "never reserved", note);
	const account = accountSchema.parse((await store.get(`account:${GUILD}`))?.value);
	const entries = (await ledger.history(GUILD, { limit: 1000 })).toReversed();
	return { store, ledger, account, entries };
}

function auditAccount(account: Account, entries: readonly Entry[]): readonly AuditFinding[] {
	const audit = createJournalAudit(GUILD, account);
	for (const entry of entries) audit.take(entry);
	return audit.finish();
}

const hold = (id: string, credits: number) => ({ id, credits, shares: [] });
const share = (grantId: string, credits: number) => ({ grantId, credits, expiresAtMs: 0 });

/** A store in which one document cannot be read. */
function withDamage(store: Store, damagedKey: string): Store {
	return {
		...store,
		async get<T>(key: string) {
			if (key === damagedKey) throw new CorruptDocumentError(key, new SyntaxError("not JSON"));
			return await store.get<T>(key);
		},
		async *scan<T>(prefix: string, options?: ScanOptions) {
			for await (const document of store.scan<T>(prefix, options)) {
				if (document.key === damagedKey) options?.onCorrupt?.(damagedKey, new SyntaxError("not JSON"));
				else yield document;
			}
		},
	};
}

const summaryOf = (findings: readonly AuditFinding[]): unknown =>
	findings.map(({ rule, subject, expected, found }) => [rule, subject, expected, found]);

describe("the audit of an account", () => {
	test.each<[string, (account: Account) => Partial<Account>, readonly string[]]>([
		["more posted credits than in the journal", (a) => ({ postedCredits: a.postedCredits + 1 }), ["account, posted"]],
		["a missing hold", (a) => ({ holds: a.holds.slice(1) }), ["account, held", "hold t3"]],
		["a hold without a reservation", (a) => ({ holds: [...a.holds, hold("t99", 1)] }), ["account, held", "hold t99"]],
		["a hold of another size", (a) => ({ holds: a.holds.with(2, hold("t5", 2)) }), ["account, held", "hold t5"]],
		["a wrong sequence number of the newest entry", (a) => ({ seq: a.seq - 1 }), ["account, seq"]],
		["expiring credits of an unknown grant", () => ({ shares: [share("grant:9", 1)] }), ["grant grant:9"]],
		["expiring credits of an expired grant", () => ({ shares: [share("grant:2", 4)] }), ["grant grant:2"]],
	])("reports %s", async (_case, change, subjects) => {
		const { account, entries } = await setup();
		const found = auditAccount({ ...account, ...change(account) }, entries).map(({ subject }) => subject);
		expect(found).toEqual(expect.arrayContaining([...subjects]));
	});

	test.each<[string, number, Partial<Entry>, unknown]>([
		["a changed amount", 1, { amountCredits: 41 }, ["running balance", "entry 1: grant:first, posted", 41, 40]],
		["a charge above its hold", 5, { amountCredits: 5 }, ["hold", "entry 5: post:t1", "at most 4", 5]],
		[
			"a repeated operation",
			2,
			{ operationId: "grant:first" },
			["once", "entry 2: grant:first", "one entry", "another"],
		],
		[
			"a hold that ended twice",
			6,
			{ operationId: "void:t1" },
			["hold", "entry 6: void:t1", "a hold that was not posted", "a posted one"],
		],
		[
			"more held credits than the balance",
			4,
			{ heldAfterCredits: 60 },
			["covered", "entry 4: reserve:t2", "at most 50 held", 60],
		],
		["a changed held balance", 4, { heldAfterCredits: 8 }, ["running balance", "entry 4: reserve:t2, held", 9, 8]],
		["a missing entry", 2, { seq: 99 }, ["gapless", "entry 99: grant:2", 2, 99]],
	])("reports %s", async (_case, seq, change, expected) => {
		const { account, entries } = await setup();
		const changed = entries.map((entry) => (entry.seq === seq ? { ...entry, ...change } : entry));
		expect(summaryOf(auditAccount(account, changed))).toContainEqual(expected);
	});
});

describe("the audit of a store", () => {
	test("audits every account, and reports a damaged one", async () => {
		const { store, ledger } = await setup();
		await ledger.grant("guild:2", "grant:1", 5, note);
		await store.set("account:guild:3", "nonsense");
		const audits = await Array.fromAsync(createAuditor({ store }).all());
		expect(audits.map(({ account, findings }) => [account, findings.map(({ rule }) => rule)])).toStrictEqual([
			[GUILD, []],
			["guild:2", []],
			["guild:3", ["readable"]],
		]);
	});

	test("reports a missing page, a missing index document and a missing account", async () => {
		const { store } = await setup();
		const auditor = createAuditor({ store });
		await store.delete(`operation:${GUILD}:grant:first`);
		expect(summaryOf((await auditor.account(GUILD)).findings)).toStrictEqual([
			["index", "index operation:grant:first", 1, "none"],
		]);
		await store.delete(`journal:${GUILD}:000000000001`);
		expect((await auditor.account(GUILD)).findings.map(({ subject }) => subject)).toContain(
			`journal:${GUILD}:000000000001`,
		);
		await store.delete(`account:${GUILD}`);
		const [gone] = await Array.fromAsync(auditor.all());
		expect(gone?.findings.map(({ subject }) => subject)).toStrictEqual([`account:${GUILD}`]);
	});

	test("reports an account that was reset to an earlier state", async () => {
		const { store, ledger } = await setup();
		const before = (await store.get(`account:${GUILD}`))?.value;
		for (let n = 0; n < 20; n++) await ledger.adjust(GUILD, `adjust:again-${n}`, 1, note);
		await store.set(`account:${GUILD}`, before);
		const { findings } = await createAuditor({ store }).account(GUILD);
		expect(findings.map(({ rule }) => rule)).toContain("gapless");
	});

	test("reports an account that is missing while a page of its journal cannot be read", async () => {
		const { store } = await setup();
		await store.delete(`account:${GUILD}`);
		const auditor = createAuditor({ store: withDamage(store, `journal:${GUILD}:000000000000`) });
		const missing = ["gapless", `account:${GUILD}`, "a document", "none"];
		expect(summaryOf((await auditor.account(GUILD)).findings)).toStrictEqual([missing]);
		const [audit, ...more] = await Array.fromAsync(auditor.all());
		expect([summaryOf(audit?.findings ?? []), more]).toStrictEqual([[missing], []]);
	});

	test("audits the other accounts if a page that is newer than its account cannot be read", async () => {
		const { store, ledger } = await setup();
		await ledger.grant("guild:2", "grant:1", 5, note);
		const before = (await store.get(`account:${GUILD}`))?.value;
		for (let n = 0; n < 20; n++) await ledger.adjust(GUILD, `adjust:again-${n}`, 1, note);
		await store.set(`account:${GUILD}`, before);
		const newer = `journal:${GUILD}:000000000003`;
		const audits = await Array.fromAsync(createAuditor({ store: withDamage(store, newer) }).all());
		expect(audits.map(({ account }) => account)).toStrictEqual([GUILD, "guild:2"]);
		expect(summaryOf(audits[0]?.findings ?? [])).toContainEqual(["readable", newer, "a document", "damage"]);
	});
});

async function holdTaskState(id: string): Promise<HoldTaskState> {
	if (id === "damaged") throw new CorruptDocumentError("task:damaged", new TypeError("no state in it"));
	if (id === "open") return "mayHold";
	return id === "ended" ? "mustNotHold" : "missing";
}

/** Reserves holds of an open, an ended, an unreadable and a missing task. */
async function reserveHolds(account: string) {
	const { store, ledger } = await setupLedger({ credits: 0 });
	await ledger.grant(account, "grant:1", 10, note);
	for (const id of ["open", "ended", "damaged", "unknown"]) await ledger.reserve(account, id, 1, note);
	return { store, ledger };
}

describe("the audit of holds", () => {
	test.each([GUILD, "use:1:2:2026-01-01"])("reports those of %s that no open task will end", async (account) => {
		const { store } = await reserveHolds(account);
		expect(summaryOf((await createAuditor({ store, holdTaskState }).account(account)).findings)).toStrictEqual([
			["task", "hold ended", "a task that is open", "a task that has ended"],
			["readable", "task:damaged", "a document", "damage"],
			["task", "hold unknown", "a task that is open", "no task"],
		]);
	});

	test("ignores holds of the studio, which has its own tasks", async () => {
		const { store } = await reserveHolds("studio:internal");
		expect((await createAuditor({ store, holdTaskState }).account("studio:internal")).findings).toStrictEqual([]);
	});

	test("ignores holds that end during the audit", async () => {
		const { store, ledger } = await reserveHolds(GUILD);
		const endOthers = async (id: string): Promise<HoldTaskState> => {
			if (id === "open") return "mayHold";
			await ledger.void(GUILD, id, note);
			return "mustNotHold";
		};
		expect((await createAuditor({ store, holdTaskState: endOthers }).account(GUILD)).findings).toStrictEqual([]);
	});
});
