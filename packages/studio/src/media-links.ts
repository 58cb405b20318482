/**
 * Signed links to files: `/media/FILE?expires=SECONDS&signature=…`. The signature covers file and expiry, with a secret
 * that all processes on a store share. Each response signs links anew, so that they are valid for a while.
 */
import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "@atelier/common/clock";
import { isSameSecret } from "@atelier/common/constant-time-equal";
import { getOrCreate } from "@atelier/store/get-or-create";
import type { Store } from "@atelier/store/store";
import { kindOfFile } from "./media-store.ts";

export type MediaLinks = ReturnType<typeof createMediaLinks>;

type LinkVerdict = "valid" | "expired" | "invalid";

export interface LinkQuery {
	readonly expires?: unknown;
	readonly signature?: unknown;
}

const SECRET_KEY = "studio-secret:media-links";
const SECRET_BYTES = 32;
/** The expiry of links is rounded up to a multiple of this fraction of the lifetime, so that links stay equal for a while. */
const EXPIRY_STEPS = 24;

export function createMediaLinks(deps: {
	readonly store: Store;
	readonly clock: Clock;
	readonly origin: () => string;
	readonly lifetimeMs: number;
}) {
	const { store, clock, lifetimeMs } = deps;
	const stepMs = lifetimeMs / EXPIRY_STEPS;
	let secret: Buffer | undefined;

	function signatureOf(file: string, expiresS: number): Buffer {
		assert(secret, "links are made once the secret is read");
		return createHmac("sha256", secret).update(`${file}\n${expiresS}`).digest();
	}

	/** The signature shows that a link is ours: each process on a store may have another origin. */
	function check(url: string): { readonly file: string; readonly verdict: LinkVerdict } | undefined {
		const { pathname, searchParams } = new URL(url);
		const file = /\/media\/([^/]+)$/.exec(pathname)?.[1];
		if (file === undefined || !kindOfFile(file)) return undefined;
		return { file, verdict: checkLink(file, Object.fromEntries(searchParams)) };
	}

	/** Checks the query of a link. A link with a wrong signature is treated like a missing file. */
	function checkLink(file: string, { expires, signature }: LinkQuery): LinkVerdict {
		if (typeof expires !== "string" || typeof signature !== "string" || !/^\d{1,12}$/.test(expires)) return "invalid";
		const presented = Buffer.from(signature, "base64url");
		const expectedSignature = signatureOf(file, Number(expires));
		if (!isSameSecret(presented, expectedSignature)) return "invalid";
		return Number(expires) * 1000 > clock.nowMs() ? "valid" : "expired";
	}

	return {
		/** Reads the secret, and creates it at the first start. Required before any link is signed or checked. */
		async open(): Promise<void> {
			const stored = await getOrCreate(store, SECRET_KEY, () => ({
				secret: randomBytes(SECRET_BYTES).toString("base64"),
			}));
			secret = Buffer.from(stored.secret, "base64");
		},
		/**
		 * Returns the expiry of a link that is shown now: after the lifetime, or with the file. Stays the same for a while,
		 * so that links are cacheable.
		 */
		linkExpiresAtMs(fileExpiresAtMs: number): number {
			const lifetimeEndMs = Math.ceil((clock.nowMs() + lifetimeMs) / stepMs) * stepMs;
			return Math.floor(Math.min(lifetimeEndMs, fileExpiresAtMs) / 1000) * 1000;
		},
		/** Returns a link that is valid until this time. */
		urlOf(file: string, expiresAtMs: number): string {
			const expiresS = Math.floor(expiresAtMs / 1000);
			return `${deps.origin()}/media/${file}?expires=${expiresS}&signature=${signatureOf(file, expiresS).toString("base64url")}`;
		},
		/** Returns the file of a URL of ours, even after its expiry; `undefined` for other URLs. */
		fileOf(url: string): string | undefined {
			const link = check(url);
			return link?.verdict === "invalid" ? undefined : link?.file;
		},
		/** Returns whether a URL is a valid link. */
		isValidLink: (url: string): boolean => check(url)?.verdict === "valid",
		checkLink,
	};
}
