/**
 * A process that uses the ledger until it is killed: node ledger-client.ts STORE_URL RUN ACCOUNTS DIARY [ASK ...]
 *
 * It writes down what it asks before it asks, and what was acknowledged after. What an earlier one asked and never learned
 * comes as arguments, and is asked again with the same ids.
 */
import { openSync, writeSync } from "node:fs";
import { systemClock } from "@atelier/common/clock";
import { createLedger } from "@atelier/ledger/ledger";
import { LedgerRefusalError, type Ledger } from "@atelier/ledger/operations";
import { openStore } from "@atelier/store/open-store";
import type { Operation, Line } from "./crash-loop.ts";

const CLIENTS = 8;
const NOTE = { by: "member:1", reason: "crash test" };

const [url = "", run = "", accounts = "", diaryPath = "", ...earlier] = process.argv.slice(2);
const ids = accounts.split(",");
const operationLog = openSync(diaryPath, "a");
const ledger = createLedger({ store: await openStore(url), clock: systemClock });

process.stdout.write("ready\n");
for (const operation of earlier) await carryOut(JSON.parse(operation) as Operation);
await Promise.all(Array.from({ length: CLIENTS }, (_, client) => use(client)));

async function use(client: number): Promise<never> {
	for (let n = 0; ; n++) {
		const account = ids[(client + n) % ids.length] ?? "";
		const holdId = `${run}-${client}-${n}`;
		if (n % 10 === 0) await carryOut({ kind: "grant", account, id: `grant:${holdId}`, credits: 50 });
		await carryOut({ kind: "reserve", account, id: holdId, credits: 3 });
		await carryOut({ kind: n % 3 === 0 ? "void" : "post", account, id: holdId, credits: 2 });
	}
}

async function carryOut(operation: Operation): Promise<void> {
	say({ kind: "asked", operation });
	try {
		await apply(ledger, operation);
		say({ kind: "acknowledged", operation });
	} catch (error) {
		if (!(error instanceof LedgerRefusalError)) throw error;
		say({ kind: "refused", operation, code: error.code });
	}
}

function apply(to: Ledger, { kind, account, id, credits }: Operation): Promise<unknown> {
	switch (kind) {
		case "grant":
			return to.grant(account, id, credits, NOTE);
		case "reserve":
			return to.reserve(account, id, credits, NOTE);
		case "post":
			return to.post(account, id, credits, NOTE);
		case "void":
			return to.void(account, id, NOTE);
	}
}

/** Data that a process has passed to the system survives its end. */
function say(line: Line): void {
	writeSync(operationLog, `${JSON.stringify(line)}\n`);
}
