/** One of two processes that reserve credits of one account: node reserving-process.ts STORE_URL ACCOUNT NAME RESERVATIONS. */
import { once } from "node:events";
import { systemClock } from "@atelier/common/clock";
import { createLedger } from "@atelier/ledger/ledger";
import { LedgerRejectedError } from "@atelier/ledger/operations";
import { openStore } from "@atelier/store/open-store";

const [url = "", account = "", name = "", reservations = ""] = process.argv.slice(2);
const store = await openStore(url);
const ledger = createLedger({ store, clock: systemClock });
const note = { by: `member:${name}`, reason: "race" };

process.stdout.write("ready\n");
await once(process.stdin, "data");

const outcomes = await Promise.allSettled(
	Array.from({ length: Number(reservations) }, (_, n) => ledger.reserve(account, `${name}-${n}`, 1, note)),
);
for (const outcome of outcomes) {
	if (outcome.status === "rejected" && !(outcome.reason instanceof LedgerRejectedError)) throw outcome.reason;
}
process.stdout.write(`${outcomes.filter(({ status }) => status === "fulfilled").length}\n`);
await store.close();
process.stdin.destroy();
