import { CorruptDocumentError } from "./keyv-store.ts";
import { isSealed, DecryptionError, type Sealing } from "./encryption.ts";
import { StoreNotUsableError } from "./store-errors.ts";
import type { ScanOptions, Store, StoredDocument } from "./store.ts";

/**
 * Wherever words stand that somebody typed. Books are not among them: whoever runs the bot may have to show them, and
 * what they say of a person is an id.
 */
const SEALED_PREFIXES = [
	"proposal:",
	"reported:",
	"settings-change:",
	"settings:",
	"studio-callback:",
	"studio-memo:",
	"studio-task:",
	"task:",
] as const;

/** Tells at the start whether the keys are those of this store. */
export const PROOF_KEY = "installation:sealed";

/** Seals what is written, where there are keys, and opens what is read; documents from before there were any are read as they are. */
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

/** Throws a `StoreNotUsableError` where what is sealed in this store could not be read, and leaves the proof for the next start. */
export async function proveSealing(store: Store, sealing: Sealing | undefined): Promise<void> {
	const proof = await store.get(PROOF_KEY);
	checkProof(proof?.value, sealing);
	if (sealing && !(isSealed(proof?.value) && sealing.isCurrent(proof.value))) {
		await store.compareAndSet(PROOF_KEY, proof?.raw, sealing.seal(PROOF_KEY, "sealed"));
	}
}

/** The same of documents that are not in a store yet. */
export function checkProof(proof: unknown, sealing: Sealing | undefined): void {
	if (!isSealed(proof)) return;
	if (!sealing)
		throw new StoreNotUsableError("What members typed is encrypted in this store. Set PROMPT_KEYS as it was.");
	try {
		sealing.open(PROOF_KEY, proof);
	} catch (cause) {
		const advice = "Put the key that was in use behind the new one.";
		throw new StoreNotUsableError(`What members typed is encrypted with a key that is not in PROMPT_KEYS. ${advice}`, {
			cause,
		});
	}
}

/** Seals everything with the first of the keys, or with none where `isPlain`; resolves to how many documents were changed. */
export async function resealStore(store: Store, sealing: Sealing, isPlain: boolean): Promise<number> {
	let count = 0;
	for (const prefix of SEALED_PREFIXES) {
		for await (const found of store.scan(prefix)) {
			if (await reseal(found)) count++;
		}
	}
	if (isPlain) await store.delete(PROOF_KEY);
	return count;

	/** As often as it takes: whoever uses the store meanwhile may be first. */
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
