import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Ledger } from "@atelier/ledger/operations";
import { ledgerAccount } from "./keys.ts";
import type { Studio } from "./studio.ts";

export const HOUSE_ACCOUNT = "house";
/** The operator's own engine costs the operator nothing, so the house's account never runs dry. */
const HOUSE_CREDITS = 1_000_000_000;

/** The key with which the bot of the same process calls its own studio: made once, kept in a file that only its owner reads. */
export async function openHouseKey(
	{ studio, ledger }: { readonly studio: Studio; readonly ledger: Pick<Ledger, "balance"> },
	path: string,
): Promise<string> {
	const kept = await readFile(path, "utf8").catch(() => "");
	if (kept !== "" && (await studio.knowsKey(kept))) return kept;
	// Where the file does not outlive its process, every start makes a key: what it adds must not grow into more than an account holds.
	const { postedCredits } = await ledger.balance(ledgerAccount(HOUSE_ACCOUNT));
	const grantCredits = Math.max(0, HOUSE_CREDITS - postedCredits);
	const { key } = await studio.createKey({ account: HOUSE_ACCOUNT, name: "built-in bot", grantCredits });
	await mkdir(dirname(path), { recursive: true });
	await writeFile(path, key, { mode: 0o600 });
	return key;
}

/** With which the studio signs what it tells that bot. */
export function houseCallbackSecret(studio: Studio): Promise<string> {
	return studio.callbackSecret(HOUSE_ACCOUNT);
}
