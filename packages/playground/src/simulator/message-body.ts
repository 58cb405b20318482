import type {
	APIAllowedMentions,
	APIEmbed,
	APIMessageTopLevelComponent,
	APIMessageReferenceSend,
} from "discord-api-types/v10";
import type { UploadedContent } from "../read-upload.ts";

/** The body of a message request after validation. For edits, `null` differs from a missing field. */
export interface MessageBody {
	readonly content?: string | null;
	readonly embeds?: readonly APIEmbed[] | null;
	readonly allowed_mentions?: APIAllowedMentions | null;
	readonly components?: readonly APIMessageTopLevelComponent[] | null;
	readonly attachments?: readonly AttachmentBody[] | null;
	readonly flags?: number | null;
	readonly tts?: boolean | null;
	readonly poll?: unknown;
	readonly sticker_ids?: readonly string[] | null;
	readonly nonce?: string | number | null;
	readonly enforce_nonce?: boolean | null;
	readonly message_reference?: APIMessageReferenceSend | null;
}

/** `id` is the n of `files[n]` for a new file, and the attachment's own id for an existing one. */
export interface AttachmentBody {
	readonly id: string;
	readonly filename?: string | null;
	readonly description?: string | null;
	readonly title?: string | null;
	readonly is_spoiler?: boolean | null;
}

export interface UploadedFile extends UploadedContent {
	/** The n of `files[n]`. */
	readonly index: number;
	readonly filename: string;
}
