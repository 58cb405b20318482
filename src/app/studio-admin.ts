/** Manages the accounts and keys of the studio in this process, like `atelier accounts` and `atelier keys`. */
import type { Clock } from "@atelier/common/clock";
import type { KEY_STATES } from "@atelier/dashboard/schemas/operator";
import type { Ledger } from "@atelier/ledger/ledger";
import type { Accounts } from "@atelier/studio/accounts";
import type { ApiKey, Keys } from "@atelier/studio/api-keys";
import type { StudioAdmin } from "../http/dashboard/operator-services.ts";
import { UserError } from "../services/user-error.ts";

interface StudioAdminDeps {
	readonly accounts: Pick<Accounts, "list">;
	readonly keys: Pick<Keys, "create" | "revoke" | "list">;
	readonly ledger: Pick<Ledger, "balance">;
	readonly ledgerAccount: (account: string) => string;
	readonly internalAccount: string;
	readonly clock: Clock;
}

export function createStudioAdmin(deps: StudioAdminDeps): StudioAdmin {
	const { accounts, keys, ledger, ledgerAccount, internalAccount, clock } = deps;

	return {
		async list() {
			const [listedAccounts, listedKeys] = await Promise.all([
				Array.fromAsync(accounts.list()),
				Array.fromAsync(keys.list()),
			]);
			const nowMs = clock.nowMs();
			const withKeys = listedAccounts.map(async ({ account, createdAtMs }) => {
				const { availableCredits, heldCredits } = await ledger.balance(ledgerAccount(account));
				const keysOfAccount = listedKeys.filter((key) => key.account === account);
				const isInternal = account === internalAccount;
				return {
					account,
					createdAtMs,
					availableCredits,
					heldCredits,
					isInternal,
					keys: keysOfAccount.map(({ id, name, createdAtMs: keyCreatedAtMs, expiresAtMs, revokedAtMs, cap }) => ({
						id,
						name,
						state: keyStateOf({ expiresAtMs, revokedAtMs }, nowMs),
						createdAtMs: keyCreatedAtMs,
						expiresAtMs,
						cap,
					})),
				};
			});
			return await Promise.all(withKeys);
		},
		async createKey(account, name) {
			if (account === internalAccount) throw new UserError({ key: "web.studioKeyInternal" });
			return await keys.create({ account, name });
		},
		async revokeKey(id) {
			for await (const key of keys.list()) {
				if (key.id !== id) continue;
				if (key.account === internalAccount) throw new UserError({ key: "web.studioKeyInternal" });
				await keys.revoke(id);
				return;
			}
			throw new UserError({ key: "web.notFound" });
		},
	};
}

export function keyStateOf(
	{ expiresAtMs, revokedAtMs }: Pick<ApiKey, "expiresAtMs" | "revokedAtMs">,
	nowMs: number,
): (typeof KEY_STATES)[number] {
	if (revokedAtMs !== null) return "revoked";
	return expiresAtMs !== null && expiresAtMs <= nowMs ? "expired" : "good";
}
