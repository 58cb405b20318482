import { timingSafeEqual } from "node:crypto";

/** The only comparison of what opens something: how long it takes tells nothing of where the two begin to differ. */
export function isSameSecret(presented: string | Uint8Array, right: string | Uint8Array): boolean {
	const [one, other] = [Buffer.from(presented), Buffer.from(right)];
	return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}
