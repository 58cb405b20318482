import type { AccountJson } from "./account-json.ts";
import type { Account } from "./account.ts";
import type { AccountId } from "./operations.ts";

export interface LoadedAccount {
	/** The exact text in the store; undefined where the account was never written. */
	readonly raw: string | undefined;
	readonly account: Account;
	/** As this process wrote it, where it did. */
	readonly written?: AccountJson | undefined;
}

/** What this process last wrote of an account. Others may have written since: only a compare-and-set can tell. */
export interface AccountMemory {
	recall(id: AccountId): LoadedAccount | undefined;
	remember(id: AccountId, loaded: LoadedAccount): void;
	forget(id: AccountId): void;
}

/** Holds the accounts that were used last. */
export function createAccountMemory(accountsMax: number): AccountMemory {
	const known = new Map<AccountId, LoadedAccount>();

	return {
		recall: (id) => known.get(id),
		remember(id, loaded) {
			known.delete(id);
			known.set(id, loaded);
			const [oldest] = known.keys();
			if (known.size > accountsMax && oldest !== undefined) known.delete(oldest);
		},
		forget(id) {
			known.delete(id);
		},
	};
}
