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
interface Encrypted {
	readonly ciphertext: string;
}

/** The document is encrypted with an unknown key, or is corrupt. */
export class DecryptionError extends Error {
	override readonly name = "DecryptionError";
}

export interface Encryption {
	/** Encrypts with the first key. */
	encrypt(documentKey: string, value: unknown): Encrypted;
	/** Decrypts with any of the keys. Throws `DecryptionError`. */
	decrypt(documentKey: string, ciphertext: Encrypted): unknown;
	/** Returns whether it is encrypted with the first key. */
	isCurrent(ciphertext: Encrypted): boolean;
}

export function isEncrypted(value: unknown): value is Encrypted {
	return typeof value === "object" && value !== null && "ciphertext" in value && typeof value.ciphertext === "string";
}

/** `keys`: 32 bytes each. The first one encrypts; all decrypt. */
export function createEncryption(keys: readonly [Uint8Array, ...Uint8Array[]]): Encryption {
	const byId = new Map(keys.map((key) => [idOf(key), key]));
	const [current] = keys;
	const currentId = idOf(current);

	return {
		encrypt(documentKey, value) {
			const nonce = randomBytes(NONCE_BYTES);
			const cipher = createCipheriv(CIPHER, current, nonce, { authTagLength: TAG_BYTES }).setAAD(
				Buffer.from(documentKey),
			);
			const parts = [nonce, cipher.update(JSON.stringify(value), "utf8"), cipher.final(), cipher.getAuthTag()];
			return { ciphertext: `${currentId}.${Buffer.concat(parts).toString("base64")}` };
		},
		decrypt(documentKey, { ciphertext }) {
			const id = ciphertext.slice(0, KEY_ID_CHARS);
			const key = byId.get(id);
			if (!key) throw new DecryptionError(`it is encrypted with the key ${id}, which is not among PROMPT_KEYS`);
			const bytes = Buffer.from(ciphertext.slice(KEY_ID_CHARS + 1), "base64");
			if (bytes.byteLength < NONCE_BYTES + TAG_BYTES) throw new DecryptionError("it is truncated");
			const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(-TAG_BYTES)];
			try {
				const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
				decipher.setAAD(Buffer.from(documentKey)).setAuthTag(tag);
				const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
				return JSON.parse(text.toString("utf8")) as unknown;
			} catch (cause) {
				throw new DecryptionError("it is corrupt", { cause });
			}
		},
		isCurrent: ({ ciphertext }) => ciphertext.startsWith(`${currentId}.`),
	};
}

/** Identifies the key without revealing it. */
function idOf(key: Uint8Array): string {
	return createHash("sha256").update("atelier key id").update(key).digest("hex").slice(0, KEY_ID_CHARS);
}
