/** The files of messages and of attachment options, with the location of their bytes. */
import type { Logger } from "pino";
import type { MediaStore, UploadedContent } from "../media/media-store.ts";
import { imageSize, mediaTypeOf } from "../media/media-metadata.ts";
import type { Core } from "./simulator-state.ts";
import type { AttachmentRecord, StoredAttachment } from "./documents.ts";

/** An upload for an option outlives its command, but not forever: no message shows it. */
const UPLOAD_TTL_MS = 24 * 60 * 60_000;

type NewAttachment = Pick<StoredAttachment, "filename" | "description" | "title" | "isSpoiler"> & UploadedContent;

export type Attachments = ReturnType<typeof createAttachments>;

export function createAttachments(
	{ clock, snowflakes, tables }: Core,
	{ media, logger }: { media: MediaStore; logger: Logger },
) {
	const records = tables.attachments;
	/** Hashes of contents that are being written: a file must not be removed between its bytes and its record. */
	const pendingHashes: string[] = [];
	const isUsed = (hash: string): boolean =>
		pendingHashes.includes(hash) || [...records.values()].some(({ attachment }) => attachment.hash === hash);

	/** Removes these attachments, and their contents unless another attachment uses them. */
	function remove(ids: readonly string[]): void {
		for (const id of ids) {
			const hash = records.get(id)?.attachment.hash;
			records.delete(id);
			if (hash === undefined || isUsed(hash)) continue;
			media.remove(hash).catch((error: unknown) => logger.error({ err: error }, "file not removed"));
		}
	}

	function removeExpiredUploads(): void {
		const beforeMs = clock.nowMs() - UPLOAD_TTL_MS;
		const old = [...records.values()].filter(
			({ uploadedBy, createdMs }) => uploadedBy !== null && createdMs < beforeMs,
		);
		remove(old.map(({ attachment }) => attachment.id));
	}

	return {
		remove,
		async add({ bytes, hash, ...named }: NewAttachment, uploadedBy: string | null): Promise<StoredAttachment> {
			if (uploadedBy !== null) removeExpiredUploads();
			pendingHashes.push(hash);
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
				records.set(attachment.id, { attachment, uploadedBy, createdMs: clock.nowMs() });
				return attachment;
			} finally {
				pendingHashes.splice(pendingHashes.indexOf(hash), 1);
			}
		},
		/** Makes an upload of this user the file of a message; `undefined` for any other file. */
		claim(id: string, userId: string): StoredAttachment | undefined {
			const record = records.get(id);
			if (record?.uploadedBy !== userId) return undefined;
			records.set(id, { ...record, uploadedBy: null });
			return record.attachment;
		},
		find: (id: string): AttachmentRecord | undefined => records.get(id),
	};
}
