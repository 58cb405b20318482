/**
 * A process that uses the ledger until it is killed: node ledger-client.ts STORE_URL RUN ACCOUNTS LOG [OPERATION ...]
 *
 * It logs each operation before it sends it, and each response. The arguments are operations whose responses earlier
 * processes never saw; it repeats them with the same ids.
 */
import { openSync, writeSync } from "node:fs";
import { systemClock } from "@atelier/common/clock";
import { createLedger } from "@atelier/ledger/create-ledger";
import { LedgerRejectedError } from "@atelier/ledger/ledger";
import { openStore } from "@atelier/store/open-store";
import type { LogEntry, Operation } from "./ledger-loop.ts";

const CLIENTS = 8;
const NOTE = { by: "member:1", reason: "crash test" };

const [url = "", run = "", accounts = "", logPath = "", ...unanswered] = process.argv.slice(2);
const accountIds = accounts.split(",");
const log = openSync(logPath, "a");
const ledger = createLedger({ store: await openStore(url), clock: systemClock });

process.stdout.write("ready\n");
for (const operation of unanswered) await perform(JSON.parse(operation) as Operation);
await Promise.all(Array.from({ length: CLIENTS }, (_, client) => runClient(client)));

async function runClient(client: number): Promise<never> {
	for (let n = 0; ; n++) {
		const account = accountIds[(client + n) % accountIds.length] ?? "";
		const holdId = `${run}-${client}-${n}`;
		if (n % 10 === 0) await perform({ kind: "grant", account, id: `grant:${holdId}`, credits: 50 });
		await perform({ kind: "reserve", account, id: holdId, credits: 3 });
		await perform({ kind: n % 3 === 0 ? "void" : "post", account, id: holdId, credits: 2 });
	}
}

async function perform(operation: Operation): Promise<void> {
	const { kind, account, id, credits } = operation;
	writeEntry({ kind: "sent", operation });
	try {
		await (kind === "void" ? ledger.void(account, id, NOTE) : ledger[kind](account, id, credits, NOTE));
		writeEntry({ kind: "acknowledged", operation });
	} catch (error) {
		if (!(error instanceof LedgerRejectedError)) throw error;
		writeEntry({ kind: "rejected", operation, code: error.code });
	}
}

/** The operating system keeps written data when the process is killed. */
function writeEntry(entry: LogEntry): void {
	writeSync(log, `${JSON.stringify(entry)}\n`);
}
