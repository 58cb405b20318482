/** The files of messages and of attachment options, with the location of their bytes. */
import type { Logger } from "pino";
import type { MediaStore } from "../media/media-store.ts";
import { imageSize, mediaTypeOf } from "../media/media-metadata.ts";
import { apiErrors } from "./api-error.ts";
import type { Core } from "./core.ts";
import type { AttachmentRecord, StoredAttachment } from "./documents.ts";

/** An upload for an option outlives its command, but not forever: no message shows it. */
const UPLOAD_TTL_MS = 24 * 60 * 60_000;

export type NewAttachment = Omit<StoredAttachment, "id" | "content_type" | "size" | "width" | "height"> & {
	readonly bytes: Buffer;
};

export type Attachments = ReturnType<typeof createAttachments>;

export function createAttachments(
	{ clock, snowflakes, tables }: Core,
	{ media, logger }: { media: MediaStore; logger: Logger },
) {
	const records = tables.attachments;
	function remove(ids: readonly string[]): void {
		for (const id of ids) {
			records.delete(id);
			media.remove(id).catch((error: unknown) => logger.error({ err: error }, "file not removed"));
		}
	}

	function removeExpiredUploads(): void {
		const beforeMs = clock.nowMs() - UPLOAD_TTL_MS;
		const old = [...records.values()].filter(
			({ uploadedBy, createdMs }) => uploadedBy !== null && createdMs < beforeMs,
		);
		remove(old.map(({ attachment }) => attachment.id));
	}

	/** Returns an upload of this user that belongs to no message yet. Throws Discord's error otherwise. */
	function uploadOf(id: string, userId: string): StoredAttachment {
		const record = records.get(id);
		if (record?.uploadedBy === userId) return record.attachment;
		const message = "The file was not uploaded, or is in another message.";
		throw apiErrors.invalidField(["attachments"], "ATTACHMENT_NOT_FOUND", message);
	}

	return {
		remove,
		async add({ bytes, ...fields }: NewAttachment, uploadedBy: string | null): Promise<StoredAttachment> {
			if (uploadedBy !== null) removeExpiredUploads();
			const { width, height } = imageSize(bytes);
			const attachment: StoredAttachment = {
				id: snowflakes.next(),
				...fields,
				content_type: mediaTypeOf(fields.filename).contentType,
				size: bytes.byteLength,
				...(width && height && { width, height }),
			};
			await media.put(attachment.id, bytes);
			records.set(attachment.id, { attachment, uploadedBy, createdMs: clock.nowMs() });
			return attachment;
		},
		uploadOf,
		/** Makes an upload of this user the file of a message. */
		claim(id: string, userId: string): void {
			const attachment = uploadOf(id, userId);
			records.set(id, { attachment, uploadedBy: null, createdMs: clock.nowMs() });
		},
		find: (id: string): AttachmentRecord | undefined => records.get(id),
	};
}
