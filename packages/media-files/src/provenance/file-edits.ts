/** The edits that insert a provenance mark into a file: insertions and replacements, so that it is changed while it is copied. */

/** The mark of a file. `c2pa`: a manifest (Content Credentials); `iptc`: a digital source type in XMP. */
export type Provenance = "c2pa" | "iptc" | "none";

/** Removes `removeBytes` at the offset `at` of the original file, and inserts `insert` there. */
export interface Edit {
	readonly at: number;
	readonly removeBytes: number;
	readonly insert: Uint8Array;
}

/** The way in which a file gets its mark. */
export type MarkPlan =
	/** `edits` are in order and do not overlap. They are left out if one of `conflicts` occurs before: then the file has a mark. */
	| { readonly kind: "mark"; readonly edits: readonly Edit[]; readonly conflicts?: readonly Buffer[] }
	/** The file already says where it comes from, and is passed on unchanged. */
	| { readonly kind: "keep"; readonly found: Exclude<Provenance, "none"> }
	/** The type has no place for a mark, or the file is damaged: it is passed on unchanged. */
	| { readonly kind: "unsupported" };

export const UNSUPPORTED: MarkPlan = { kind: "unsupported" };

/** Reads parts of a file in any order. */
export interface PartReader {
	/** Resolves to exactly `lengthBytes` bytes. Throws `OutOfReachError` if the file ends earlier, or the reader does not have them. */
	read(at: number, lengthBytes: number): Promise<Buffer>;
}

/** The reader cannot reach the requested bytes. */
export class OutOfReachError extends Error {
	override readonly name = "OutOfReachError";
}

/** Reads the first bytes of a file that is still downloaded. */
export function headReader(head: Buffer): PartReader {
	return {
		async read(at, lengthBytes) {
			if (at + lengthBytes > head.byteLength) throw new OutOfReachError("beyond the head of the file");
			return head.subarray(at, at + lengthBytes);
		},
	};
}

/** Returns whether there are bytes at an offset. */
export async function hasBytesAt(file: PartReader, at: number, lengthBytes: number): Promise<boolean> {
	try {
		await file.read(at, lengthBytes);
		return true;
	} catch (error) {
		if (error instanceof OutOfReachError) return false;
		throw error;
	}
}

export function insertAt(at: number, ...parts: readonly Uint8Array[]): Edit {
	return { at, removeBytes: 0, insert: Buffer.concat(parts) };
}

/** Returns the mark of the file after the plan is applied. */
export function provenanceOf(plan: MarkPlan): Provenance {
	if (plan.kind === "keep") return plan.found;
	return plan.kind === "mark" ? "iptc" : "none";
}

/** Returns the number of bytes by which the plan enlarges the file. */
export function addedBytesOf(plan: MarkPlan): number {
	if (plan.kind !== "mark") return 0;
	return plan.edits.reduce((sum, { insert, removeBytes }) => sum + insert.byteLength - removeBytes, 0);
}

/** Copies a file, and applies the edits on the way. Calls `onConflict` if it leaves the last ones out. */
export async function* applyPlan(
	content: AsyncIterable<Uint8Array>,
	plan: MarkPlan,
	onConflict?: () => void,
): AsyncGenerator<Uint8Array> {
	if (plan.kind !== "mark") return yield* content;
	const edits = [...plan.edits];
	const conflicts = createSearch(plan.conflicts ?? []);
	// All offsets count from the start of the original file.
	let chunkAt = 0;
	/** The bytes before this offset have been copied or removed. */
	let doneUntil = 0;
	for await (const chunk of content) {
		conflicts.read(chunk);
		const chunkEnd = chunkAt + chunk.byteLength;
		for (let edit = edits[0]; edit && edit.at < chunkEnd; edit = edits[0]) {
			edits.shift();
			if (edit.at > doneUntil) yield chunk.subarray(doneUntil - chunkAt, edit.at - chunkAt);
			if (edit.insert.byteLength > 0) yield edit.insert;
			doneUntil = edit.at + edit.removeBytes;
		}
		if (chunkEnd > doneUntil) {
			yield chunk.subarray(doneUntil - chunkAt);
			doneUntil = chunkEnd;
		}
		chunkAt = chunkEnd;
	}
	if (conflicts.isFound()) onConflict?.();
	else for (const { insert } of edits) yield insert;
}

/** Searches a stream for byte sequences, which may lie across two chunks. */
function createSearch(sequences: readonly Buffer[]) {
	const overlapBytes = Math.max(...sequences.map(({ byteLength }) => byteLength - 1));
	let overlap = Buffer.alloc(0);
	let isFound = false;
	return {
		isFound: () => isFound,
		read(chunk: Uint8Array) {
			if (sequences.length === 0) return;
			const bytes = Buffer.concat([overlap, chunk]);
			isFound ||= sequences.some((sequence) => bytes.includes(sequence));
			overlap = bytes.subarray(Math.max(0, bytes.byteLength - overlapBytes));
		},
	};
}
