import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import { createLedger } from "../src/create-ledger.ts";
import { LedgerRejectedError } from "../src/ledger.ts";

export const GUILD = "guild:1";
export const note = { by: "operator", reason: "test" };

export const newDocument = (key: string, next: string) => ({ key, expectedRaw: undefined, next });

/** Creates a ledger in memory, and grants credits to the guild. */
export async function setup({ credits = 10, store: given }: { credits?: number; store?: Store } = {}) {
	const store = given ?? (await openStore("memory:"));
	const clock = createManualClock();
	const ledger = createLedger({ store, clock });
	if (credits > 0) await ledger.grant(GUILD, "grant:first", credits, note);
	return { store, ledger, clock };
}

/** Resolves to "applied", the code of a rejection, or the message of another error. */
export async function outcome(work: Promise<unknown>): Promise<string> {
	try {
		await work;
		return "applied";
	} catch (error) {
		return error instanceof LedgerRejectedError ? error.code : String(error);
	}
}
