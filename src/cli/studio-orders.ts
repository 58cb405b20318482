import type { Clock } from "../clock.ts";
import { createLedger } from "../services/ledger/ledger.ts";
import type { Store } from "../services/store/store.ts";
import { createAccounts } from "../studio/accounts.ts";
import { createKeys, ledgerAccount, type KeyHolder } from "../studio/keys.ts";
import { readCap } from "../studio/cap-use.ts";
import type { StudioOrder } from "./studio-arguments.ts";

export interface StudioOrderDeps {
	readonly store: Store;
	readonly clock: Clock;
	readonly randomBytes: (size: number) => Uint8Array;
	readonly newId: () => string;
	readonly print: (line: string) => Promise<void>;
}

/** Resolves to the exit code. */
export async function carryOutStudioOrder(
	order: Exclude<StudioOrder, { kind: "help" | "start" }>,
	deps: StudioOrderDeps,
): Promise<0 | 1> {
	const { store, clock, print } = deps;
	const ledger = createLedger({ store, clock });
	const accounts = createAccounts(deps);
	const keys = createKeys({ ...deps, accounts, ledger });
	async function keysOf(account: string): Promise<readonly KeyHolder[]> {
		const found: KeyHolder[] = [];
		for await (const holder of keys.list()) if (holder.account === account) found.push(holder);
		return found;
	}

	async function listAccounts(wanted: string | undefined): Promise<0 | 1> {
		let isAny = false;
		for await (const { account, createdAtMs } of accounts.list()) {
			if (wanted !== undefined && account !== wanted) continue;
			isAny = true;
			const { availableCredits, heldCredits } = await ledger.balance(ledgerAccount(account));
			const credits = `${availableCredits.toLocaleString("en")} credits available, ${heldCredits.toLocaleString("en")} held`;
			await print(`${account}  ${credits}  since ${new Date(createdAtMs).toISOString()}`);
			for (const holder of await keysOf(account)) {
				await print(`  ${lineOf(holder, clock.nowMs(), await readCap(ledger, holder, clock.nowMs()))}`);
			}
		}
		if (!isAny) await print(wanted === undefined ? "There are no accounts." : `There is no account ${wanted}.`);
		return isAny || wanted === undefined ? 0 : 1;
	}

	async function revokeAccount(account: string): Promise<0 | 1> {
		const good = (await keysOf(account)).filter(({ revokedAtMs }) => revokedAtMs === null);
		for (const { id } of good) {
			const revoked = await keys.revoke(id);
			if (revoked) await print(`Revoked: ${lineOf(revoked, clock.nowMs())}`);
		}
		if (good.length === 0) await print(`${account} has no key that opens anything.`);
		return good.length === 0 ? 1 : 0;
	}

	switch (order.kind) {
		case "createKey": {
			const { key, id } = await keys.create(order.key);
			await print(
				`${key}\n\nThe key ${id} of ${order.key.account}. It is not shown again: the store has only its hash.`,
			);
			return 0;
		}
		case "listKeys":
			for await (const holder of keys.list()) {
				if (order.account !== undefined && order.account !== holder.account) continue;
				await print(lineOf(holder, clock.nowMs(), await readCap(ledger, holder, clock.nowMs())));
			}
			return 0;
		case "revokeKey": {
			const holder = await keys.revoke(order.id);
			await print(holder ? `Revoked: ${lineOf(holder, clock.nowMs())}` : `There is no key ${order.id}.`);
			return holder ? 0 : 1;
		}
		case "listAccounts":
			return await listAccounts(order.account);
		case "revokeAccount":
			return await revokeAccount(order.account);
		case "grant": {
			const { account, amountCredits, reason, id = deps.newId() } = order;
			await accounts.open(account);
			const note = { by: "operator", reason };
			const balance = await ledger.grant(ledgerAccount(account), `grant:cli-${id}`, amountCredits, note);
			await print(
				`${account} has ${balance.availableCredits.toLocaleString("en")} credits available. The grant's id: ${id}`,
			);
			return 0;
		}
	}
}

type CapUse = Awaited<ReturnType<typeof readCap>>;

function lineOf(holder: KeyHolder, nowMs: number, cap: CapUse = null): string {
	const { id, account, name, scopes, models, addresses, ...times } = holder;
	const { expiresAtMs, revokedAtMs } = times;
	const state = revokedAtMs !== null ? "revoked" : expiresAtMs !== null && expiresAtMs <= nowMs ? "expired" : "good";
	const until = expiresAtMs === null ? "" : `until ${new Date(expiresAtMs).toISOString()}`;
	const rules = [scopes.join("+"), models?.join(",") ?? "", addresses?.join(",") ?? "", until, capWords(cap)];
	return [id, account, state, ...rules.filter((rule) => rule !== ""), JSON.stringify(name)].join("  ");
}

function capWords(cap: CapUse): string {
	if (!cap) return "";
	const period = cap.per === "ever" ? "" : ` a ${cap.per}`;
	return `${cap.available.toLocaleString("en")} of ${cap.credits.toLocaleString("en")} credits${period} left`;
}
