import type { z } from "zod";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import type { Store } from "@atelier/store/store";

/** A document with its stored text, for `compareAndSet`; both are `undefined` if it does not exist. */
interface ReadDocument<Value> {
	readonly value: Value | undefined;
	readonly raw: string | undefined;
}

/** Reads a document and validates it. Throws `CorruptDocumentError` for an invalid one. */
export async function readDocument<Value>(
	store: Pick<Store, "get">,
	key: string,
	schema: z.ZodType<Value>,
): Promise<ReadDocument<Value>> {
	const stored = await store.get(key);
	if (!stored) return { value: undefined, raw: undefined };
	return { value: parseDocument(key, stored.value, schema), raw: stored.raw };
}

/** Yields the valid documents of a prefix. Skips unreadable ones, which must not hide the others. */
export async function* scanDocuments<Value>(
	store: Pick<Store, "scan">,
	prefix: string,
	schema: z.ZodType<Value>,
	after?: string,
): AsyncGenerator<{ readonly key: string; readonly value: Value }> {
	for await (const { key, value } of store.scan(prefix, { after, onCorrupt: () => {} })) {
		const { data } = schema.safeParse(value);
		if (data !== undefined) yield { key, value: data };
	}
}

/** Resolves to `undefined` for a corrupt document, which must not hide the others. Use it with `catch`. */
export function undefinedIfCorrupt(error: unknown): undefined {
	if (!(error instanceof CorruptDocumentError)) throw error;
}

/** Validates a stored value. Throws `CorruptDocumentError` with the document's key for an invalid one. */
export function parseDocument<Value>(key: string, value: unknown, schema: z.ZodType<Value>): Value {
	const parsed = schema.safeParse(value);
	if (!parsed.success) throw new CorruptDocumentError(key, parsed.error);
	return parsed.data;
}
