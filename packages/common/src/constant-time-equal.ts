import { timingSafeEqual } from "node:crypto";

/** Compares secrets in constant time: the duration does not reveal where they differ. */
export function isSameSecret(presented: string | Uint8Array, expected: string | Uint8Array): boolean {
	const [a, b] = [Buffer.from(presented), Buffer.from(expected)];
	return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
