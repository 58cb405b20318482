import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { systemClock } from "@atelier/common/clock";
import { createAuditor } from "@atelier/ledger/auditor";
import { createLedger } from "@atelier/ledger/ledger";
import { openStore } from "@atelier/store/open-store";
import type { Random } from "../simulation/random.ts";

export interface Operation {
	readonly kind: "grant" | "reserve" | "post" | "void";
	readonly account: string;
	readonly id: string;
	readonly credits: number;
}

export type Line =
	| { readonly kind: "asked" | "acknowledged"; readonly operation: Operation }
	| { readonly kind: "refused"; readonly operation: Operation; readonly code: string };

export interface CrashReport {
	/** The rounds that ran. */
	readonly rounds: number;
	readonly acknowledged: number;
	/** Sent in one round and killed before the response; an operation counts in each such round. */
	readonly unanswered: number;
	/** The faults that were found. */
	readonly faults: readonly string[];
}

const ACCOUNTS = 3;
const KILL_MS_MIN = 150;
const KILL_MS_MAX = 400;
const ACKNOWLEDGED_MIN = 50;
const START_TIMEOUT_MS = 20_000;
const PAGE_ENTRIES = 500;

/**
 * Kills a process that uses the ledger, again and again, and then compares its acknowledged operations with the journal.
 * Adds rounds until at least `ACKNOWLEDGED_MIN` operations are acknowledged, which a busy machine needs.
 */
export async function crashLoop(url: string, rounds: number, random: Random): Promise<CrashReport> {
	const accounts = Array.from({ length: ACCOUNTS }, (_, n) => `guild:crash-${randomUUID().slice(0, 8)}-${n}`);
	const acknowledged = new Map<string, Operation>();
	const faults: string[] = [];
	const open = new Map<string, Operation>();
	let unanswered = 0;
	let round = 0;

	const folder = await mkdtemp(join(tmpdir(), "atelier-operations-"));
	for (; round < rounds || acknowledged.size < ACKNOWLEDGED_MIN; round++) {
		const operations = [...open.values()].map((operation) => JSON.stringify(operation));
		const operationLog = join(folder, String(round));
		await runAndKill(
			[url, `r${round}`, accounts.join(","), operationLog, ...operations],
			random.between(KILL_MS_MIN, KILL_MS_MAX),
		);
		for (const text of (await readFile(operationLog, "utf8")).split("\n").slice(0, -1)) {
			const line = JSON.parse(text) as Line;
			const key = keyOf(line.operation);
			if (line.kind === "asked") open.set(key, line.operation);
			else open.delete(key);
			if (line.kind === "acknowledged") acknowledged.set(key, line.operation);
			// Each hold is posted or voided once. Expected refusals: too few credits, and a hold whose reserve was refused.
			const isExpected = line.kind !== "refused" || ["exceeds_credits", "hold_not_found"].includes(line.code);
			if (!isExpected) faults.push(`${key} was refused: ${line.code}`);
		}
		unanswered += open.size;
	}
	await rm(folder, { recursive: true, force: true });

	const store = await openStore(url);
	try {
		const auditor = createAuditor({ store });
		const ledger = createLedger({ store, clock: systemClock });
		const counted = new Map<string, number>();
		for (const account of accounts) {
			faults.push(...(await auditor.account(account)).findings.map((finding) => JSON.stringify(finding)));
			for (let beforeSeq = Number.MAX_SAFE_INTEGER; beforeSeq > 1;) {
				const page = await ledger.history(account, { limit: PAGE_ENTRIES, beforeSeq });
				for (const { operationId, kind, amountCredits } of page) {
					const id = kind === "grant" ? operationId : operationId.slice(kind.length + 1);
					const key = keyOf({ kind: kind as Operation["kind"], account, id });
					counted.set(key, (counted.get(key) ?? 0) + 1);
					const expected = acknowledged.get(key);
					if (expected && kind !== "void" && expected.credits !== amountCredits)
						faults.push(`${key} has another amount`);
					if (!expected && !open.has(key)) faults.push(`${key} exists without a request`);
				}
				beforeSeq = page.at(-1)?.seq ?? 0;
			}
		}
		for (const key of acknowledged.keys()) if (!counted.has(key)) faults.push(`${key} was acknowledged and is lost`);
		for (const [key, times] of counted) if (times > 1) faults.push(`${key} is there ${times} times`);
		for (const account of accounts) await forget(account);
	} finally {
		await store.close();
	}
	return { rounds: round, acknowledged: acknowledged.size, unanswered, faults };

	async function forget(account: string): Promise<void> {
		for (const prefix of ["account", "journal", "operation", "hold"]) {
			for await (const { key } of store.scan(`${prefix}:${account}`)) await store.delete(key);
		}
	}
}

/** Starts a client, waits for its first output, and kills it after `killMs`. */
async function runAndKill(args: readonly string[], killMs: number): Promise<void> {
	const script = fileURLToPath(new URL("ledger-client.ts", import.meta.url));
	const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
	const ended = once(child, "close");
	try {
		const ready = once(child.stdout, "data", { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
		const early = ended.then(() => Promise.reject(new Error("the client ended by itself")));
		await Promise.race([ready, early]);
		await Promise.race([sleep(killMs), early]);
	} finally {
		child.kill("SIGKILL");
		await ended;
	}
}

function keyOf({ kind, account, id }: Pick<Operation, "kind" | "account" | "id">): string {
	return `${account} ${kind} ${id}`;
}
