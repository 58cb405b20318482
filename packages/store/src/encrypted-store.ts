import { CorruptDocumentError } from "./keyv-store.ts";
import { isEncrypted, DecryptionError, type Encryption } from "./encryption.ts";
import { StoreNotUsableError } from "./store-errors.ts";
import type { ScanOptions, Store, StoredDocument } from "./store.ts";

/**
 * Prefixes of documents with member input. The ledger is not encrypted: operators may have to show it, and it
 * identifies people by id only.
 */
const ENCRYPTED_PREFIXES = [
	"confirmation:",
	"reported:",
	"settings-change:",
	"settings:",
	"studio-callback:",
	"studio-checkpoint:",
	"studio-task:",
	"task:",
] as const;

/** Verifies at the start that the keys belong to this store. */
export const PROOF_KEY = "installation:encryption";

/**
 * Encrypts documents on write if there are keys, and decrypts them on read. Older plain documents are read unchanged.
 */
export function encryptStore(store: Store, encryption: Encryption | undefined): Store {
	const encryptIfUserText = (key: string, value: unknown): unknown =>
		encryption && hasUserText(key) ? encryption.encrypt(key, value) : value;

	function opened<T>(stored: StoredDocument): StoredDocument<T> {
		const { key, value } = stored;
		if (!isEncrypted(value) || !hasUserText(key)) return stored as StoredDocument<T>;
		try {
			if (!encryption) throw new DecryptionError("it is encrypted, and PROMPT_KEYS is not set");
			return { ...stored, value: encryption.decrypt(key, value) as T };
		} catch (error) {
			throw new CorruptDocumentError(key, error);
		}
	}

	return {
		isSharedBetweenProcesses: store.isSharedBetweenProcesses,
		async get<T>(key: string) {
			const stored = await store.get(key);
			return stored && opened<T>(stored);
		},
		set: (key, value) => store.set(key, encryptIfUserText(key, value)),
		delete: (key) => store.delete(key),
		async *scan<T>(prefix: string, options: ScanOptions = {}) {
			for await (const stored of store.scan(prefix, options)) {
				let document: StoredDocument<T>;
				try {
					document = opened<T>(stored);
				} catch (error) {
					if (!options.onCorrupt) throw error;
					options.onCorrupt(stored.key, error);
					continue;
				}
				yield document;
			}
		},
		compareAndSet: (key, expectedRaw, next) => store.compareAndSet(key, expectedRaw, encryptIfUserText(key, next)),
		compareAndSetAll: (changes) =>
			store.compareAndSetAll(
				encryption
					? changes.map((change) => ({ ...change, next: encryptIfUserText(change.key, change.next) }))
					: changes,
			),
		close: () => store.close(),
	};
}

/**
 * Throws a `StoreNotUsableError` if the store's encrypted documents cannot be read. Stores the proof for the next
 * start.
 */
export async function verifyEncryptionKeys(store: Store, encryption: Encryption | undefined): Promise<void> {
	const proof = await store.get(PROOF_KEY);
	checkProof(proof?.value, encryption);
	if (encryption && !(isEncrypted(proof?.value) && encryption.isCurrent(proof.value))) {
		await store.compareAndSet(PROOF_KEY, proof?.raw, encryption.encrypt(PROOF_KEY, "proof"));
	}
}

/** The same for documents outside of a store. */
export function checkProof(proof: unknown, encryption: Encryption | undefined): void {
	if (!isEncrypted(proof)) return;
	if (!encryption)
		throw new StoreNotUsableError("Prompts in this store are encrypted. Set PROMPT_KEYS to its previous value.");
	try {
		encryption.decrypt(PROOF_KEY, proof);
	} catch (cause) {
		const advice = "Put the key that was in use behind the new one.";
		throw new StoreNotUsableError(
			`Prompts in this store are encrypted with a key that is not in PROMPT_KEYS. ${advice}`,
			{
				cause,
			},
		);
	}
}

/**
 * Encrypts every document with the first key, or decrypts it if `isPlain`. Resolves to the number of changed documents.
 */
export async function reencryptStore(store: Store, encryption: Encryption, isPlain: boolean): Promise<number> {
	let count = 0;
	for (const prefix of ENCRYPTED_PREFIXES) {
		for await (const found of store.scan(prefix)) {
			if (await reencrypt(found)) count++;
		}
	}
	if (isPlain) await store.delete(PROOF_KEY);
	return count;

	/** Retries until it wins the race against concurrent writers. */
	async function reencrypt(found: StoredDocument): Promise<boolean> {
		for (let present: StoredDocument | undefined = found; present; present = await store.get(found.key)) {
			const { key, raw, value } = present;
			const isDone = isPlain ? !isEncrypted(value) : isEncrypted(value) && encryption.isCurrent(value);
			if (isDone) return false;
			const plain = isEncrypted(value) ? encryption.decrypt(key, value) : value;
			const next = isPlain ? plain : encryption.encrypt(key, plain);
			if ((await store.compareAndSet(key, raw, next)) !== undefined) return true;
		}
		return false;
	}
}

function hasUserText(key: string): boolean {
	return ENCRYPTED_PREFIXES.some((prefix) => key.startsWith(prefix));
}
