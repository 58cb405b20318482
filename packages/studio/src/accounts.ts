/** Accounts; the ledger has their credits. `studio-account:NAME` contains what all keys of an account share. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { Clock } from "@atelier/common/clock";
import { getOrCreate } from "@atelier/store/get-or-create";
import type { Store } from "@atelier/store/store";

const PREFIX = "studio-account:";
const SECRET_BYTES = 32;
const ACCOUNT_NAME = /^[A-Za-z0-9._-]{1,64}$/;

interface Account {
	readonly account: string;
	/** Signs callbacks, in the format of Standard Webhooks. */
	readonly callbackSecret: string;
	readonly createdAtMs: number;
}

export interface Accounts {
	/** Returns the account; creates a new one on first use. */
	open(account: string): Promise<Account>;
	/** Yields all accounts without their secret. */
	list(): AsyncIterable<Pick<Account, "account" | "createdAtMs">>;
}

export function createAccounts(deps: { readonly store: Store; readonly clock: Clock }): Accounts {
	const { store } = deps;

	return {
		async open(account) {
			assert(ACCOUNT_NAME.test(account), "an account is named by 1 to 64 letters, digits, dots, dashes or underscores");
			return await getOrCreate(store, PREFIX + account, (): Account => {
				const callbackSecret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
				return { account, callbackSecret, createdAtMs: deps.clock.nowMs() };
			});
		},
		async *list() {
			for await (const { value } of store.scan<Account>(PREFIX)) {
				yield { account: value.account, createdAtMs: value.createdAtMs };
			}
		},
	};
}
