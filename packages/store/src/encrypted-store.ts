import { CorruptDocumentError } from "./keyv-store.ts";
import { isSealed, DecryptionError, type Sealing } from "./encryption.ts";
import { StoreNotUsableError } from "./store-errors.ts";
import type { ScanOptions, Store, StoredDocument } from "./store.ts";

/**
 * Prefixes of documents with member input. The ledger is not encrypted: operators may have to show it, and it
 * identifies people by id only.
 */
const SEALED_PREFIXES = [
	"proposal:",
	"reported:",
	"settings-change:",
	"settings:",
	"studio-callback:",
	"studio-checkpoint:",
	"studio-task:",
	"task:",
] as const;

/** Verifies at the start that the keys belong to this store. */
export const PROOF_KEY = "installation:sealed";

/**
 * Encrypts documents on write if there are keys, and decrypts them on read. Older plain documents are read unchanged.
 */
export function sealStore(store: Store, sealing: Sealing | undefined): Store {
	const sealedIfTyped = (key: string, value: unknown): unknown =>
		sealing && isTyped(key) ? sealing.seal(key, value) : value;

	function opened<T>(stored: StoredDocument): StoredDocument<T> {
		const { key, value } = stored;
		if (!isSealed(value) || !isTyped(key)) return stored as StoredDocument<T>;
		try {
			if (!sealing) throw new DecryptionError("it is encrypted, and PROMPT_KEYS is not set");
			return { ...stored, value: sealing.open(key, value) as T };
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
		set: (key, value) => store.set(key, sealedIfTyped(key, value)),
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
		compareAndSet: (key, expectedRaw, next) => store.compareAndSet(key, expectedRaw, sealedIfTyped(key, next)),
		compareAndSetAll: (changes) =>
			store.compareAndSetAll(
				sealing ? changes.map((change) => ({ ...change, next: sealedIfTyped(change.key, change.next) })) : changes,
			),
		close: () => store.close(),
	};
}

/**
 * Throws a `StoreNotUsableError` if the store's encrypted documents cannot be read. Stores the proof for the next
 * start.
 */
export async function proveSealing(store: Store, sealing: Sealing | undefined): Promise<void> {
	const proof = await store.get(PROOF_KEY);
	checkProof(proof?.value, sealing);
	if (sealing && !(isSealed(proof?.value) && sealing.isCurrent(proof.value))) {
		await store.compareAndSet(PROOF_KEY, proof?.raw, sealing.seal(PROOF_KEY, "sealed"));
	}
}

/** The same for documents outside of a store. */
export function checkProof(proof: unknown, sealing: Sealing | undefined): void {
	if (!isSealed(proof)) return;
	if (!sealing)
		throw new StoreNotUsableError("Prompts in this store are encrypted. Set PROMPT_KEYS to its previous value.");
	try {
		sealing.open(PROOF_KEY, proof);
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
export async function resealStore(store: Store, sealing: Sealing, isPlain: boolean): Promise<number> {
	let count = 0;
	for (const prefix of SEALED_PREFIXES) {
		for await (const found of store.scan(prefix)) {
			if (await reseal(found)) count++;
		}
	}
	if (isPlain) await store.delete(PROOF_KEY);
	return count;

	/** Retries until it wins the race against concurrent writers. */
	async function reseal(found: StoredDocument): Promise<boolean> {
		for (let present: StoredDocument | undefined = found; present; present = await store.get(found.key)) {
			const { key, raw, value } = present;
			const isDone = isPlain ? !isSealed(value) : isSealed(value) && sealing.isCurrent(value);
			if (isDone) return false;
			const plain = isSealed(value) ? sealing.open(key, value) : value;
			const next = isPlain ? plain : sealing.seal(key, plain);
			if ((await store.compareAndSet(key, raw, next)) !== undefined) return true;
		}
		return false;
	}
}

function isTyped(key: string): boolean {
	return SEALED_PREFIXES.some((prefix) => key.startsWith(prefix));
}
