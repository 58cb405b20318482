import { decodeEntries } from "./decode-entries.ts";
import { DecryptionError, isEncrypted, type Encryption } from "./encryption.ts";
import { CorruptDocumentError, StoreNotUsableError } from "./store-errors.ts";
import type { ScanOptions, Store, StoredDocument } from "./store.ts";

/**
 * Prefixes of documents with member input. The ledger is not encrypted: operators may have to show it, and it
 * identifies people by id only.
 */
const ENCRYPTED_PREFIXES = [
	"draft:",
	"reported:",
	"settings-change:",
	"settings:",
	"studio-callback:",
	"studio-checkpoint:",
	"studio-task:",
	"task:",
] as const;

/** The document that proves at the start that PROMPT_KEYS belong to this store: they must decrypt it. */
export const PROOF_KEY = "installation:encryption";

/**
 * Encrypts documents with member input on write if there are keys, and decrypts them on read. Older plain documents are
 * read unchanged.
 */
export function encryptStore(store: Store, encryption: Encryption | undefined): Store {
	function encrypt(key: string, value: unknown): unknown {
		return encryption && hasMemberInput(key) ? encryption.encrypt(key, value) : value;
	}

	function decrypt<T>(stored: StoredDocument): StoredDocument<T> {
		const { key, value } = stored;
		if (!isEncrypted(value)) return stored as StoredDocument<T>;
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
			return stored && decrypt<T>(stored);
		},
		set: (key, value) => store.set(key, encrypt(key, value)),
		delete: (key) => store.delete(key),
		scan: <T>(prefix: string, options: ScanOptions = {}) =>
			decodeEntries(store.scan(prefix, options), decrypt<T>, options.onCorrupt),
		compareAndSet: (key, expectedRaw, next) => store.compareAndSet(key, expectedRaw, encrypt(key, next)),
		compareAndSetAll: (changes, writes = []) =>
			store.compareAndSetAll(
				changes.map((change) => ({ ...change, next: encrypt(change.key, change.next) })),
				writes.map(({ key, value }) => ({ key, value: value === undefined ? undefined : encrypt(key, value) })),
			),
		close: () => store.close(),
	};
}

/** Throws a `StoreNotUsableError` if the keys are not those of the store. With keys, stores the proof for the next start. */
export async function verifyEncryptionKeys(store: Store, encryption: Encryption | undefined): Promise<void> {
	const proof = await store.get(PROOF_KEY);
	checkProof(proof?.value, encryption);
	if (encryption && !(isEncrypted(proof?.value) && encryption.isCurrent(proof.value))) {
		await store.compareAndSet(PROOF_KEY, proof?.raw, encryption.encrypt(PROOF_KEY, "proof"));
	}
}

/** Throws a `StoreNotUsableError` if the keys do not decrypt the value of the document at `PROOF_KEY`. */
export function checkProof(proof: unknown, encryption: Encryption | undefined): void {
	if (!isEncrypted(proof)) return;
	if (!encryption) {
		throw new StoreNotUsableError("Prompts in this store are encrypted. Set PROMPT_KEYS to its previous value.");
	}
	try {
		encryption.decrypt(PROOF_KEY, proof);
	} catch (cause) {
		const reason = "Prompts in this store are encrypted with a key that is not in PROMPT_KEYS.";
		throw new StoreNotUsableError(`${reason} Append the previous key after the new one.`, { cause });
	}
}

/** Encrypts every document with member input with the first key, or decrypts it. Resolves to the number of changed documents. */
export async function reencryptStore(store: Store, encryption: Encryption, to: "firstKey" | "plain"): Promise<number> {
	let changedCount = 0;
	for (const prefix of ENCRYPTED_PREFIXES) {
		for await (const stored of store.scan(prefix)) {
			if (await reencrypt(stored)) changedCount++;
		}
	}
	if (to === "plain") await store.delete(PROOF_KEY);
	return changedCount;

	/** Retries if another writer changed the document. Resolves to false if it needs no change, or was deleted. */
	async function reencrypt(scanned: StoredDocument): Promise<boolean> {
		for (let stored: StoredDocument | undefined = scanned; stored; stored = await store.get(scanned.key)) {
			const { key, raw, value } = stored;
			const isDone = to === "plain" ? !isEncrypted(value) : isEncrypted(value) && encryption.isCurrent(value);
			if (isDone) return false;
			const plain = isEncrypted(value) ? encryption.decrypt(key, value) : value;
			const next = to === "plain" ? plain : encryption.encrypt(key, plain);
			if ((await store.compareAndSet(key, raw, next)) !== undefined) return true;
		}
		return false;
	}
}

function hasMemberInput(key: string): boolean {
	return ENCRYPTED_PREFIXES.some((prefix) => key.startsWith(prefix));
}
