/**
 * Protects documents from readers of the disk, a backup or the database. AES-256-GCM authenticates the document's key
 * in the store, so a ciphertext that is copied to another key is rejected.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_CHARS = 8;

/** The stored form of an encrypted document. */
export interface Encrypted {
	readonly ciphertext: string;
}

/** The document is encrypted with an unknown key, or is damaged. */
export class DecryptionError extends Error {
	override readonly name = "DecryptionError";
}

export type Encryption = ReturnType<typeof createEncryption>;

export function isEncrypted(value: unknown): value is Encrypted {
	return typeof value === "object" && value !== null && "ciphertext" in value && typeof value.ciphertext === "string";
}

/** `keys`: 32 bytes each. The first one encrypts; all decrypt. */
export function createEncryption(keys: readonly [Uint8Array, ...Uint8Array[]]) {
	const keysById = new Map(keys.map((key) => [keyIdOf(key), key]));
	const [firstKey] = keys;
	const firstKeyId = keyIdOf(firstKey);

	return {
		/** Encrypts with the first key. */
		encrypt(documentKey: string, value: unknown): Encrypted {
			const nonce = randomBytes(NONCE_BYTES);
			const cipher = createCipheriv(CIPHER, firstKey, nonce, { authTagLength: TAG_BYTES });
			cipher.setAAD(Buffer.from(documentKey));
			const parts = [nonce, cipher.update(JSON.stringify(value), "utf8"), cipher.final(), cipher.getAuthTag()];
			return { ciphertext: `${firstKeyId}.${Buffer.concat(parts).toString("base64")}` };
		},
		/** Decrypts with any of the keys. Throws `DecryptionError`. */
		decrypt(documentKey: string, { ciphertext }: Encrypted): unknown {
			const keyId = ciphertext.slice(0, KEY_ID_CHARS);
			const key = keysById.get(keyId);
			if (!key) throw new DecryptionError(`it is encrypted with the key ${keyId}, which is not among PROMPT_KEYS`);
			const bytes = Buffer.from(ciphertext.slice(KEY_ID_CHARS + 1), "base64");
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
		/** True if the document is encrypted with the first key. */
		isCurrent: ({ ciphertext }: Encrypted) => ciphertext.startsWith(`${firstKeyId}.`),
	};
}

/** Identifies the key without revealing it. */
function keyIdOf(key: Uint8Array): string {
	return createHash("sha256").update("atelier key id").update(key).digest("hex").slice(0, KEY_ID_CHARS);
}
