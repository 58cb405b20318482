/** The files of messages and of attachment options, with the location of their bytes. */
import type { MediaStore, UploadedContent } from "../media/media-store.ts";
import { imageSize, mediaTypeOf } from "../media/media-metadata.ts";
import type { Table } from "../document-store.ts";
import type { Snowflakes } from "./discord-values.ts";
import type { StoredAttachment } from "./documents.ts";

/** An upload for an option outlives its command, but not forever: no message shows it. */
const UPLOAD_TTL_MS = 24 * 60 * 60_000;

export interface AttachmentRecord {
	readonly attachment: StoredAttachment;
	/** The user who uploaded it for an option; `null` for files of messages. */
	readonly uploadedBy: string | null;
	readonly createdMs: number;
}

type NewAttachment = Pick<StoredAttachment, "filename" | "description" | "title" | "isSpoiler"> & UploadedContent;

export interface Attachments {
	readonly add: (file: NewAttachment, uploadedBy: string | null) => Promise<StoredAttachment>;
	readonly find: (id: string) => AttachmentRecord | undefined;
	/** Removes these, and content that no other attachment uses. */
	readonly remove: (ids: readonly string[]) => void;
}

export function createAttachments(deps: {
	media: MediaStore;
	snowflakes: Snowflakes;
	records: Table<AttachmentRecord>;
	nowMs: () => number;
	onError: (error: unknown) => void;
}): Attachments {
	const { media, snowflakes, records, nowMs, onError } = deps;
	/** Contents that are being written: a file must not be removed between its bytes and its record. */
	const pendingWrites = new Map<string, number>();
	const referencesTo = (hash: string): number =>
		(pendingWrites.get(hash) ?? 0) + [...records.values()].filter(({ attachment }) => attachment.hash === hash).length;

	function remove(ids: readonly string[]): void {
		for (const id of ids) {
			const hash = records.get(id)?.attachment.hash;
			records.delete(id);
			if (hash !== undefined && referencesTo(hash) === 0) media.remove(hash).catch(onError);
		}
	}

	function removeExpiredUploads(): void {
		const beforeMs = nowMs() - UPLOAD_TTL_MS;
		const old = [...records.values()].filter(
			({ uploadedBy, createdMs }) => uploadedBy !== null && createdMs < beforeMs,
		);
		remove(old.map(({ attachment }) => attachment.id));
	}

	return {
		remove,
		async add({ bytes, hash, ...named }, uploadedBy) {
			if (uploadedBy !== null) removeExpiredUploads();
			pendingWrites.set(hash, (pendingWrites.get(hash) ?? 0) + 1);
			try {
				await media.put(hash, bytes);
				const attachment: StoredAttachment = {
					id: snowflakes.next(),
					...named,
					contentType: mediaTypeOf(named.filename).contentType,
					sizeBytes: bytes.byteLength,
					hash,
					...imageSize(bytes),
				};
				records.set(attachment.id, { attachment, uploadedBy, createdMs: nowMs() });
				return attachment;
			} finally {
				const left = (pendingWrites.get(hash) ?? 1) - 1;
				if (left === 0) pendingWrites.delete(hash);
				else pendingWrites.set(hash, left);
			}
		},
		find: (id) => records.get(id),
	};
}
