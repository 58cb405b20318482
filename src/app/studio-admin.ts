/** Manages the accounts and keys of the studio in this process, like `atelier accounts` and `atelier keys`. */
import type { Clock } from "@atelier/common/clock";
import type { Ledger } from "@atelier/ledger/ledger";
import { keyStateOf, ledgerAccount } from "@atelier/studio/api-keys";
import { INTERNAL_ACCOUNT } from "@atelier/studio/internal-key";
import type { Studio } from "@atelier/studio/studio";
import type { StudioAdmin } from "../http/dashboard/operator-services.ts";
import { UserError } from "../services/user-error.ts";

interface StudioAdminDeps {
	readonly studio: Pick<Studio, "accounts" | "keys">;
	readonly ledger: Ledger;
	readonly clock: Clock;
}

export function createStudioAdmin({ studio: { accounts, keys }, ledger, clock }: StudioAdminDeps): StudioAdmin {
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
				const isInternal = account === INTERNAL_ACCOUNT;
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
			if (account === INTERNAL_ACCOUNT) throw new UserError({ key: "web.studioKeyInternal" });
			return await keys.create({ account, name });
		},
		async revokeKey(id) {
			for await (const key of keys.list()) {
				if (key.id !== id) continue;
				if (key.account === INTERNAL_ACCOUNT) throw new UserError({ key: "web.studioKeyInternal" });
				await keys.revoke(id);
				return;
			}
			throw new UserError({ key: "web.notFound" });
		},
	};
}
