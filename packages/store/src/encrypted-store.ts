import { decodeEntries } from "./decode-entries.ts";
import { DecryptionError, isEncrypted, type Encrypted, type Encryption } from "./encryption.ts";
import { retryChange } from "./retry-change.ts";
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

/** The document that proves at the start that PROMPT_KEYS belong to this store: a text encrypted with each key in use. */
export const PROOF_KEY = "installation:encryption";

/**
 * Encrypts documents with member input on write if there are keys, and decrypts them on read. Older plain documents are
 * read unchanged.
 */
export function encryptStore(store: Store, encryption: Encryption | undefined): Store {
	let proofAdded: Promise<void> | undefined;

	/** Adds the proof of the first key before the first document that needs it. */
	async function prepareWrite(keys: readonly string[]): Promise<void> {
		if (!encryption || !keys.some(hasMemberInput)) return;
		proofAdded ??= addProof(store, encryption).catch((error: unknown) => {
			proofAdded = undefined;
			throw error;
		});
		await proofAdded;
	}

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
		async get<T>(key: string) {
			const stored = await store.get(key);
			return stored && decrypt<T>(stored);
		},
		async set(key, value) {
			await prepareWrite([key]);
			await store.set(key, encrypt(key, value));
		},
		delete: (key) => store.delete(key),
		scan: <T>(prefix: string, options: ScanOptions = {}) =>
			decodeEntries(store.scan(prefix, options), decrypt<T>, options.onCorrupt),
		async compareAndSet(key, expectedRaw, next) {
			await prepareWrite([key]);
			return await store.compareAndSet(key, expectedRaw, encrypt(key, next));
		},
		async compareAndSetAll(changes, writes = []) {
			await prepareWrite([...changes, ...writes].map(({ key }) => key));
			return await store.compareAndSetAll(
				changes.map((change) => ({ ...change, next: encrypt(change.key, change.next) })),
				writes.map(({ key, value }) => ({ key, value: value === undefined ? undefined : encrypt(key, value) })),
			);
		},
		close: () => store.close(),
	};
}

/** Throws a `StoreNotUsableError` unless the keys decrypt all proofs in the value of the document at `PROOF_KEY`. */
export function checkProofs(value: unknown, encryption: Encryption | undefined): void {
	const proofs = proofsOf(value);
	if (proofs.length === 0) return;
	if (!encryption) {
		throw new StoreNotUsableError("Prompts in this store are encrypted. Set PROMPT_KEYS to its previous value.");
	}
	try {
		for (const proof of proofs) encryption.decrypt(PROOF_KEY, proof);
	} catch (cause) {
		const reason = "Prompts in this store are encrypted with a key that is not in PROMPT_KEYS.";
		const advice = "Append the previous key after the new one, until rotate-keys has encrypted all of them.";
		throw new StoreNotUsableError(`${reason} ${advice}`, { cause });
	}
}

function proofsOf(value: unknown): readonly Encrypted[] {
	return Array.isArray(value) ? value.filter(isEncrypted) : [];
}

/** Adds a proof of the first key unless there is one, so that each start requires that key. */
async function addProof(store: Store, encryption: Encryption): Promise<void> {
	await retryChange(PROOF_KEY, async () => {
		const stored = await store.get(PROOF_KEY);
		const proofs = proofsOf(stored?.value);
		if (proofs.some((proof) => encryption.isCurrent(proof))) return undefined;
		const next = [...proofs, encryption.encrypt(PROOF_KEY, "proof")];
		return (await store.compareAndSet(PROOF_KEY, stored?.raw, next)) === undefined ? "conflict" : undefined;
	});
}

interface Reencryption {
	readonly changedCount: number;
	/** Documents that cannot be read. They stay as they are. */
	readonly corruptKeys: readonly string[];
}

/**
 * Encrypts every document with member input with the first key, or decrypts it. Afterwards, the next start requires the first key
 * only, or none.
 */
export async function reencryptStore(
	store: Store,
	encryption: Encryption,
	to: "firstKey" | "plain",
): Promise<Reencryption> {
	if (to === "firstKey") await addProof(store, encryption);
	let changedCount = 0;
	const corruptKeys: string[] = [];
	const onCorrupt = (key: string): void => void corruptKeys.push(key);
	for (const prefix of ENCRYPTED_PREFIXES) {
		for await (const stored of store.scan(prefix, { onCorrupt })) {
			try {
				if (await reencrypt(stored)) changedCount++;
			} catch (error) {
				if (!(error instanceof DecryptionError || error instanceof CorruptDocumentError)) throw error;
				corruptKeys.push(stored.key);
			}
		}
	}
	if (to === "plain") await store.delete(PROOF_KEY);
	else await store.set(PROOF_KEY, [encryption.encrypt(PROOF_KEY, "proof")]);
	return { changedCount, corruptKeys };

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
