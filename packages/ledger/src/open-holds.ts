import type { Store } from "@atelier/store/store";
import { accountKey, parseAccount } from "./journal.ts";
import type { AccountId } from "./operations.ts";

/** Returns the number of open holds of an account, over all processes. */
export async function countOpenHolds(store: Pick<Store, "get">, id: AccountId): Promise<number> {
	const stored = await store.get(accountKey(id));
	return stored ? parseAccount(stored).holds.length : 0;
}
