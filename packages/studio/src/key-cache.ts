import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";
import type { KeyHolder, Keys } from "./keys.ts";

/** How long a revoked key still works in other processes. */
export const KEY_KNOWN_FOR_MS = 2_000;
const KEYS_MAX = 10_000;

/** Caches the holders of valid keys by the key's hash, to avoid a store read per request. New keys work immediately. */
export function createKeyCache(keys: Pick<Keys, "holderOf">, clock: Clock): Pick<Keys, "holderOf"> {
	const known = new LRUCache<string, KeyHolder>({
		max: KEYS_MAX,
		ttl: KEY_KNOWN_FOR_MS,
		ttlResolution: 0,
		perf: { now: () => clock.nowMs() },
	});

	return {
		async holderOf(key) {
			const sha256 = hash("sha256", key, "base64");
			const found = known.get(sha256);
			if (found) return found;
			const readAtMs = clock.nowMs();
			const holder = await keys.holderOf(key);
			if (holder?.revokedAtMs === null) known.set(sha256, holder, { start: readAtMs });
			return holder;
		},
	};
}
