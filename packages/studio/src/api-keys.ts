/** API keys. `studio-key:SHA256` contains the permissions of a key; the key itself is shown once and never stored. */
import assert from "node:assert/strict";
import { hash, randomBytes } from "node:crypto";
import type { Accounts } from "./accounts.ts";
import type { Clock } from "@atelier/common/clock";
import type { Store } from "@atelier/store/store";
import type { SpendCap } from "./spend-cap.ts";

const KEY_BYTES = 32;
const ID_CHARS = 16;

/** `read` reads; `generate` covers everything that costs or changes something, and the secret of callbacks. */
export const SCOPES = ["generate", "read"] as const;
export type Scope = (typeof SCOPES)[number];

/** The restrictions of a key, beyond those of its account. */
interface KeyRules {
	readonly scopes: readonly Scope[];
	/** `null`: all models. */
	readonly models: readonly string[] | null;
	/** Allowed networks such as `203.0.113.0/24`; `null`: all. */
	readonly addresses: readonly string[] | null;
	readonly expiresAtMs: number | null;
	/** `null`: no cap beyond the account's balance. */
	readonly cap: SpendCap | null;
}

/** A key without its text. */
export interface ApiKey extends KeyRules {
	/** Identifies the key without revealing it. */
	readonly id: string;
	readonly account: string;
	readonly name: string;
	readonly createdAtMs: number;
	readonly revokedAtMs: number | null;
}

interface NewKey extends Partial<KeyRules> {
	readonly account: string;
	readonly name: string;
}

export type Keys = ReturnType<typeof createKeys>;

const PREFIX = "studio-key:";
/** The restrictions of a key by default: none. */
const UNRESTRICTED = {
	scopes: SCOPES,
	models: null,
	addresses: null,
	expiresAtMs: null,
	cap: null,
	revokedAtMs: null,
} as const satisfies Partial<ApiKey>;

export function createKeys(deps: { readonly store: Store; readonly accounts: Accounts; readonly clock: Clock }) {
	const { store } = deps;

	return {
		/** Creates a key, and its account if needed. The key is never shown again. */
		async create({ account, name, ...rules }: NewKey): Promise<{ key: string; id: string }> {
			await deps.accounts.open(account);
			const key = `sk-${randomBytes(KEY_BYTES).toString("base64url")}`;
			const sha256 = sha256Of(key);
			const id = sha256.slice(0, ID_CHARS);
			const document: ApiKey = {
				...UNRESTRICTED,
				...rules,
				id,
				account,
				name,
				createdAtMs: deps.clock.nowMs(),
			};
			const written = await store.compareAndSet(PREFIX + sha256, undefined, document);
			assert(written !== undefined, "two keys are never the same");
			return { key, id };
		},
		/** Returns the permissions of a key, also if it has expired or was revoked; `undefined` for an unknown key. */
		async find(key: string): Promise<ApiKey | undefined> {
			return (await store.get<ApiKey>(PREFIX + sha256Of(key)))?.value;
		},
		/** Revokes a key. Resolves to its permissions; `undefined` for an unknown id. */
		async revoke(id: string): Promise<ApiKey | undefined> {
			// The id is the prefix of the hash, and so of the key in the store.
			for await (const { key, raw, value } of store.scan<ApiKey>(PREFIX + id)) {
				if (value.id !== id) continue;
				const revoked = { ...value, revokedAtMs: value.revokedAtMs ?? deps.clock.nowMs() };
				const written = await store.compareAndSet(key, raw, revoked);
				assert(written !== undefined, "a key changed concurrently");
				return revoked;
			}
			return undefined;
		},
		async *list(): AsyncGenerator<ApiKey> {
			for await (const { value } of store.scan<ApiKey>(PREFIX)) yield value;
		},
	};
}

export function keyStateOf(
	{ expiresAtMs, revokedAtMs }: Pick<ApiKey, "expiresAtMs" | "revokedAtMs">,
	nowMs: number,
): "good" | "revoked" | "expired" {
	if (revokedAtMs !== null) return "revoked";
	return expiresAtMs !== null && expiresAtMs <= nowMs ? "expired" : "good";
}

/** Returns the ledger account of a studio account. */
export function ledgerAccount(account: string): string {
	return `studio:${account}`;
}

function sha256Of(key: string): string {
	return hash("sha256", key);
}
