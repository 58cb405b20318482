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
 * Returns the key with which the bot calls the studio of its own process: created once, stored in a file that only its
 * owner can read.
 */
export async function openInternalKey(
	{ studio, ledger }: { readonly studio: Pick<Studio, "keys">; readonly ledger: Pick<Ledger, "balance"> },
	path: string,
): Promise<string> {
	const storedKey = await readFile(path, "utf8").catch((error: unknown) => {
		if (!isErrno(error, "ENOENT")) throw error;
		return "";
	});
	if (storedKey !== "" && (await studio.keys.find(storedKey))?.revokedAtMs === null) return storedKey;
	// If the file does not survive restarts, every start creates a key. A grant only refills the account, because the grants of many starts
	// would add up to more than the ledger allows.
	const { postedCredits } = await ledger.balance(ledgerAccount(INTERNAL_ACCOUNT));
	const grantCredits = Math.max(0, INTERNAL_CREDITS - postedCredits);
	const { key } = await studio.keys.create({ account: INTERNAL_ACCOUNT, name: "built-in bot", grantCredits });
	await mkdir(dirname(path), { recursive: true });
	await writeFile(path, key, { mode: 0o600 });
	return key;
}
