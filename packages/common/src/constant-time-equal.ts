import { timingSafeEqual } from "node:crypto";

/** Compares secrets in constant time: the duration does not reveal where they differ. */
export function isSameSecret(presented: string | Uint8Array, right: string | Uint8Array): boolean {
	const [one, other] = [Buffer.from(presented), Buffer.from(right)];
	return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}
