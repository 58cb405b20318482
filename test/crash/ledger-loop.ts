import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { systemClock } from "@atelier/common/clock";
import { createAuditor } from "@atelier/ledger/audit-store";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openStore } from "@atelier/store/open-store";
import { startProcess } from "../../bench/lib/child-process.ts";
import type { Random } from "../simulation/random.ts";

export interface Operation {
	readonly kind: "grant" | "reserve" | "post" | "void";
	readonly account: string;
	readonly id: string;
	readonly credits: number;
}

export type LogEntry =
	| { readonly kind: "sent" | "acknowledged"; readonly operation: Operation }
	| { readonly kind: "rejected"; readonly operation: Operation; readonly code: string };

export interface LedgerLoopReport {
	readonly kills: number;
	/** Operations that the ledger confirmed. */
	readonly acknowledged: number;
	/** Operations without a response before a kill. The next process repeats them, so an operation may count more than once. */
	readonly unanswered: number;
	readonly violations: readonly string[];
}

const CLIENT = fileURLToPath(new URL("ledger-client.ts", import.meta.url));
const ACCOUNTS = 3;
const KILL_MS_MIN = 150;
const KILL_MS_MAX = 400;
const ACKNOWLEDGED_MIN = 50;
/** The clients post or void each hold once. A reserve may exceed the credits, and then there is no hold to post or void. */
const EXPECTED_REJECTIONS = ["exceeds_credits", "hold_not_found"];

/**
 * Kills a process that uses the ledger, again and again, and then compares its acknowledged operations with the journal.
 * Kills more often than `killsMin` on a busy machine: until at least `ACKNOWLEDGED_MIN` operations are acknowledged.
 */
export async function ledgerLoop(url: string, killsMin: number, random: Random): Promise<LedgerLoopReport> {
	const accounts = Array.from({ length: ACCOUNTS }, (_, n) => `guild:crash-${randomUUID().slice(0, 8)}-${n}`);
	const acknowledged = new Map<string, Operation>();
	/** Operations that were sent, and whose response no process has seen yet. */
	const unansweredOperations = new Map<string, Operation>();
	/** Holds that no client has posted or voided. The next client voids them: an account has at most 200 open holds. */
	const openHolds = new Map<string, Operation>();
	const violations: string[] = [];
	let unanswered = 0;
	let kills = 0;

	const folder = await mkdtemp(join(tmpdir(), "atelier-operations-"));
	for (; kills < killsMin || acknowledged.size < ACKNOWLEDGED_MIN; kills++) {
		const log = join(folder, String(kills));
		const voids = [...openHolds.values()].map((hold): Operation => ({ ...hold, kind: "void" }));
		const operations = [...unansweredOperations.values(), ...voids].map((operation) => JSON.stringify(operation));
		const args = [CLIENT, url, `r${kills}`, accounts.join(","), log, ...operations];
		const client = await startProcess({ name: "the ledger client", args, env: {}, ready: "ready" });
		await sleep(random.between(KILL_MS_MIN, KILL_MS_MAX));
		if (client.hasEnded()) throw new Error("the ledger client ended by itself");
		await client.stop("SIGKILL");
		for (const line of (await readFile(log, "utf8")).split("\n").slice(0, -1)) readEntry(JSON.parse(line) as LogEntry);
		unanswered += unansweredOperations.size;
	}
	await rm(folder, { recursive: true, force: true });
	await compareWithJournal();
	return { kills, acknowledged: acknowledged.size, unanswered, violations };

	function readEntry(entry: LogEntry): void {
		const { kind, account, id } = entry.operation;
		const key = keyOf(entry.operation);
		const hold = keyOf({ kind: "reserve", account, id });
		if (kind === "reserve" && entry.kind === "acknowledged") openHolds.set(hold, entry.operation);
		if (kind === "post" || kind === "void") openHolds.delete(hold);
		if (entry.kind === "sent") unansweredOperations.set(key, entry.operation);
		else unansweredOperations.delete(key);
		if (entry.kind === "acknowledged") acknowledged.set(key, entry.operation);
		if (entry.kind === "rejected" && !EXPECTED_REJECTIONS.includes(entry.code)) {
			violations.push(`${key} was rejected: ${entry.code}`);
		}
	}

	async function compareWithJournal(): Promise<void> {
		const store = await openStore(url);
		const auditor = createAuditor({ store });
		const ledger = createLedger({ store, clock: systemClock });
		const journalKeys = new Set<string>();
		for (const account of accounts) {
			violations.push(...(await auditor.account(account)).findings.map((finding) => JSON.stringify(finding)));
			for (const { operationId, kind, amountCredits } of await ledger.history(account, { limit: 1e6 })) {
				const id = kind === "grant" ? operationId : operationId.slice(kind.length + 1);
				const key = keyOf({ kind: kind as Operation["kind"], account, id });
				const expected = acknowledged.get(key);
				if (journalKeys.has(key)) violations.push(`${key} exists twice`);
				journalKeys.add(key);
				if (expected && kind !== "void" && expected.credits !== amountCredits)
					violations.push(`${key} has another amount`);
				if (!expected && !unansweredOperations.has(key)) violations.push(`${key} exists without a request`);
			}
		}
		for (const key of acknowledged.keys())
			if (!journalKeys.has(key)) violations.push(`${key} was acknowledged and is lost`);
		await store.close();
	}
}

function keyOf({ kind, account, id }: Pick<Operation, "kind" | "account" | "id">): string {
	return `${account} ${kind} ${id}`;
}
