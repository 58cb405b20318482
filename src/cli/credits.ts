/** The operator's command line. Its exit codes: 0 done, 1 refused, failed or an audit with findings, 2 not understood. */
import { randomUUID } from "node:crypto";
import { systemClock } from "../clock.ts";
import { ChangeUncertain } from "../services/guilds/credit-desk.ts";
import { readOrder, USAGE } from "./credits-arguments.ts";
import { CLI_ID_PREFIX, carryOut } from "./credits-orders.ts";
import { explain, openBotsStore, print, runProgram, warn } from "./program.ts";

async function main(typed: readonly string[]): Promise<0 | 1> {
	const order = readOrder(typed);
	if (order.kind === "help") {
		await print(USAGE);
		return 0;
	}
	const store = await openBotsStore();
	try {
		return await carryOut(order, { store, clock: systemClock, newId: randomUUID, print, warn });
	} finally {
		await store.close();
	}
}

function explainFailure(error: unknown): string {
	if (!(error instanceof ChangeUncertain)) return explain(error, USAGE);
	const id = error.operationId.slice(CLI_ID_PREFIX.length);
	return `The store gave no answer. Whether it was done is not known: repeat it with --id ${id}, which moves credits once.`;
}

await runProgram(main, explainFailure);
