import { hash } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { KeyHolder, Keys } from "./keys.ts";

/** How long a key goes on opening the studio after it was revoked elsewhere. */
export const KEY_KNOWN_FOR_MS = 2_000;
const KEYS_MAX = 10_000;

/**
 * Whose key it is, without a read of the store for every request. Only what is good is remembered, by the hash of the
 * key: one that is new opens at once.
 */
export function createKeyCache(keys: Pick<Keys, "holderOf">, clock: Clock): Pick<Keys, "holderOf"> {
	const known = new Map<string, { readonly holder: KeyHolder; readonly untilMs: number }>();

	return {
		async holderOf(key) {
			const sha256 = hash("sha256", key, "base64");
			const nowMs = clock.nowMs();
			const found = known.get(sha256);
			if (found && nowMs < found.untilMs) return found.holder;
			const holder = await keys.holderOf(key);
			known.delete(sha256);
			if (!holder || holder.revokedAtMs !== null) return holder;
			known.set(sha256, { holder, untilMs: nowMs + KEY_KNOWN_FOR_MS });
			const [oldest] = known.keys();
			if (known.size > KEYS_MAX && oldest !== undefined) known.delete(oldest);
			return holder;
		},
	};
}
