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

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(deps: { readonly store: Store; readonly clock: Clock }) {
	const { store } = deps;

	return {
		/** Returns the account; creates a new one on first use. */
		async open(account: string): Promise<Account> {
			assert(ACCOUNT_NAME.test(account), "an account is named by 1 to 64 letters, digits, dots, dashes or underscores");
			return await getOrCreate(store, PREFIX + account, (): Account => {
				const callbackSecret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
				return { account, callbackSecret, createdAtMs: deps.clock.nowMs() };
			});
		},
		/** Yields all accounts without their secret. */
		async *list(): AsyncGenerator<Pick<Account, "account" | "createdAtMs">> {
			for await (const { value } of store.scan<Account>(PREFIX)) {
				yield { account: value.account, createdAtMs: value.createdAtMs };
			}
		},
	};
}
