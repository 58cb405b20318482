/**
 * Documents that nobody reads who has the disk, a backup or the database, but not the key: AES-256-GCM, bound to the key under
 * which the document stands, so that none can be put in another's place.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_CHARS = 8;

/** What stands in the place of a document. */
interface Sealed {
	readonly sealed: string;
}

/** The document is sealed with a key that is not among ours, or is not what was sealed. */
export class DecryptionError extends Error {
	override readonly name = "DecryptionError";
}

export interface Sealing {
	/** With the first key. */
	seal(place: string, value: unknown): Sealed;
	/** With whichever key it takes; throws `DecryptionError`. */
	open(place: string, sealed: Sealed): unknown;
	/** Whether it was sealed with the first key. */
	isCurrent(sealed: Sealed): boolean;
}

export function isSealed(value: unknown): value is Sealed {
	return typeof value === "object" && value !== null && "sealed" in value && typeof value.sealed === "string";
}

/** `keys`: of 32 bytes each; the first one seals, the others are for what they sealed before. */
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
			if (bytes.byteLength < NONCE_BYTES + TAG_BYTES) throw new DecryptionError("it was cut short");
			const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(-TAG_BYTES)];
			try {
				const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
				decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
				const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
				return JSON.parse(text.toString("utf8")) as unknown;
			} catch (cause) {
				throw new DecryptionError("it is not what was encrypted", { cause });
			}
		},
		isCurrent: ({ sealed }) => sealed.startsWith(`${currentId}.`),
	};
}

/** Says which key it is, and nothing about it. */
function idOf(key: Uint8Array): string {
	return createHash("sha256").update("atelier key id").update(key).digest("hex").slice(0, KEY_ID_CHARS);
}
