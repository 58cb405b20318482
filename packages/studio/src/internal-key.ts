import { randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isErrno } from "@atelier/common/is-errno";
import type { Ledger } from "@atelier/ledger/ledger";
import { ledgerAccount } from "./api-keys.ts";
import type { Studio } from "./studio.ts";

export const INTERNAL_ACCOUNT = "internal";
/** More than the built-in account should ever spend: its operator pays for the engines. */
const INTERNAL_CREDITS = 1_000_000_000;

/**
 * Refills the built-in account, and returns the key with which the bot calls the studio of its own process: created once, stored in a
 * file that only its owner can read.
 */
export async function openInternalKey(
	{ studio, ledger }: { readonly studio: Pick<Studio, "keys">; readonly ledger: Pick<Ledger, "balance" | "grant"> },
	path: string,
): Promise<string> {
	const storedKey = await readFile(path, "utf8").catch((error: unknown) => {
		if (!isErrno(error, "ENOENT")) throw error;
		return "";
	});
	// Grants the difference only, because full grants of many starts would add up to more than the ledger allows.
	const account = ledgerAccount(INTERNAL_ACCOUNT);
	const missingCredits = INTERNAL_CREDITS - (await ledger.balance(account)).postedCredits;
	if (missingCredits > 0) {
		await ledger.grant(account, `grant:start-${randomUUID()}`, missingCredits, { by: "system", reason: "start" });
	}
	if (storedKey !== "" && (await studio.keys.find(storedKey))?.revokedAtMs === null) return storedKey;
	const { key } = await studio.keys.create({ account: INTERNAL_ACCOUNT, name: "built-in bot" });
	await mkdir(dirname(path), { recursive: true });
	await writeFile(path, key, { mode: 0o600 });
	return key;
}
