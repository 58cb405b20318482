/**
 * Encrypts documents against readers of the disk, a backup or the database: AES-256-GCM, bound to the document's key in
 * the store, so that no document can replace another.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_CHARS = 8;

/** The stored form of an encrypted document. */
interface Sealed {
	readonly sealed: string;
}

/** The document is encrypted with an unknown key, or is corrupt. */
export class DecryptionError extends Error {
	override readonly name = "DecryptionError";
}

export interface Sealing {
	/** Encrypts with the first key. */
	seal(place: string, value: unknown): Sealed;
	/** Decrypts with any of the keys. Throws `DecryptionError`. */
	open(place: string, sealed: Sealed): unknown;
	/** Returns whether it is encrypted with the first key. */
	isCurrent(sealed: Sealed): boolean;
}

export function isSealed(value: unknown): value is Sealed {
	return typeof value === "object" && value !== null && "sealed" in value && typeof value.sealed === "string";
}

/** `keys`: 32 bytes each. The first one encrypts; all decrypt. */
export function createSealing(keys: readonly [Uint8Array, ...Uint8Array[]]): Sealing {
	const byId = new Map(keys.map((key) => [idOf(key), key]));
	const [current] = keys;
	const currentId = idOf(current);

	return {
		seal(place, value) {
			const nonce = randomBytes(NONCE_BYTES);
			const cipher = createCipheriv(CIPHER, current, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
			const parts = [nonce, cipher.update(JSON.stringify(value), "utf8"), cipher.final(), cipher.getAuthTag()];
			return { sealed: `${currentId}.${Buffer.concat(parts).toString("base64")}` };
		},
		open(place, { sealed }) {
			const id = sealed.slice(0, KEY_ID_CHARS);
			const key = byId.get(id);
			if (!key) throw new DecryptionError(`it is encrypted with the key ${id}, which is not among PROMPT_KEYS`);
			const bytes = Buffer.from(sealed.slice(KEY_ID_CHARS + 1), "base64");
			if (bytes.byteLength < NONCE_BYTES + TAG_BYTES) throw new DecryptionError("it is truncated");
			const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(-TAG_BYTES)];
			try {
				const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
				decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
				const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
				return JSON.parse(text.toString("utf8")) as unknown;
			} catch (cause) {
				throw new DecryptionError("it is corrupt", { cause });
			}
		},
		isCurrent: ({ sealed }) => sealed.startsWith(`${currentId}.`),
	};
}

/** Identifies the key without revealing it. */
function idOf(key: Uint8Array): string {
	return createHash("sha256").update("atelier key id").update(key).digest("hex").slice(0, KEY_ID_CHARS);
}
