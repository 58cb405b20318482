/** Builds a message from a request, its files and, for an edit, the previous message. */
import {
	type APIEmbed,
	AttachmentFlags,
	MessageFlags,
	type RESTAPIAttachment,
	type RESTPostAPIChannelMessageJSONBody,
} from "discord-api-types/v10";
import { mapJson, type Nullable } from "../json.ts";
import { mediaTypeOf } from "../media/media-metadata.ts";
import { layoutErrors } from "../schema/component-validation.ts";
import { apiErrors, type FieldError, rejectFields } from "./api-error.ts";
import type { Attachments, NewAttachment } from "./attachments.ts";
import { normalizeComponents, urlsIn } from "./components.ts";
import type { StoredAttachment, StoredMessage } from "./documents.ts";
import type { FileLimits } from "./admin-settings.ts";
import { newPoll } from "./polls.ts";

/** The body of a message request after validation. For edits, `null` differs from a missing field. */
export type MessageBody = Nullable<Omit<RESTPostAPIChannelMessageJSONBody, "attachments">> & {
	readonly attachments?: readonly AttachmentBody[] | null;
};

/** `id` is the n of `files[n]` for a new file, and the attachment's own id for an existing one. */
type AttachmentBody = Nullable<RESTAPIAttachment> & { readonly id: string };

export interface UploadedFile {
	/** The n of `files[n]`. */
	readonly index: number;
	readonly filename: string;
	readonly bytes: Buffer;
}

const ATTACHMENTS_MAX = 10;
const FILENAME_CHARS_MAX = 200;
/** Flags that requests may set and edits may change. */
const EDITABLE_FLAGS = MessageFlags.SuppressEmbeds | MessageFlags.IsComponentsV2;

export type MessageContents = Pick<
	StoredMessage,
	"content" | "embeds" | "components" | "attachments" | "flags" | "poll"
>;

export interface BuildMessageDeps {
	readonly attachments: Attachments;
	/** Files that the page has uploaded before. */
	readonly uploads: readonly StoredAttachment[];
	readonly limits: Pick<FileLimits, "bytesMax">;
	readonly nowMs: number;
}

export async function buildMessage(
	deps: BuildMessageDeps,
	body: MessageBody,
	files: readonly UploadedFile[],
	previous: StoredMessage | null,
): Promise<MessageContents> {
	// A file that a kept embed or component shows stays, because responses do not list it.
	const keptReferences = attachmentReferences({
		embeds: body.embeds === undefined ? (previous?.embeds ?? []) : [],
		components: body.components === undefined ? (previous?.components ?? []) : [],
	});
	const keptNames = new Set(keptReferences.map(({ name }) => name));
	const plan = planAttachments(body, files, previous?.attachments ?? deps.uploads, keptNames);
	if (plan.length > ATTACHMENTS_MAX) throw apiErrors.tooManyAttachments();
	if (files.some(({ bytes }) => bytes.byteLength > deps.limits.bytesMax)) throw apiErrors.fileTooLarge();

	const contents = {
		content: body.content === undefined ? (previous?.content ?? "") : (body.content ?? "").trim(),
		embeds: body.embeds === undefined ? (previous?.embeds ?? []) : normalizeEmbeds(body.embeds ?? []),
		components:
			body.components === undefined ? (previous?.components ?? []) : normalizeComponents(body.components ?? []),
		flags: flagsAfter(body.flags ?? null, previous?.flags ?? null),
		poll: body.poll ? newPoll(body.poll, deps.nowMs) : (previous?.poll ?? null),
	};
	rejectFields(layoutErrors(contents));
	const isEmpty = contents.content === "" && contents.embeds.length === 0 && contents.components.length === 0;
	if (isVoiceMessage(contents)) checkVoiceMessage(plan, !isEmpty || Boolean(body.poll));
	else if (isEmpty && plan.length === 0 && !body.sticker_ids?.length && !body.poll) throw apiErrors.emptyMessage();

	const names = new Set(plan.map(({ filename }) => filename));
	rejectFields(
		attachmentReferences(contents)
			.filter(({ name }) => !names.has(name))
			.map(({ path, name }) => ({
				path,
				code: "MESSAGE_ATTACHMENT_NOT_FOUND",
				message: `attachment://${name} names no attachment of this message.`,
			})),
	);

	const attachments: StoredAttachment[] = [];
	for (const planned of plan) {
		if ("file" in planned) {
			const { file, ...fields } = planned;
			attachments.push(await deps.attachments.add({ ...fields, bytes: file.bytes }, null));
		} else attachments.push(planned);
	}
	return { ...contents, attachments };
}

export function isVoiceMessage({ flags }: { readonly flags: number }): boolean {
	return (flags & MessageFlags.IsVoiceMessage) !== 0;
}

function checkVoiceMessage([file, ...others]: readonly (StoredAttachment | NewFile)[], hasMore: boolean): void {
	if (hasMore) throw apiErrors.voiceMessageWithContent();
	if (!file || others.length > 0 || !mediaTypeOf(file.filename).contentType.startsWith("audio/"))
		throw apiErrors.voiceMessageNeedsAudio();
	if (file.duration_secs === undefined || !file.waveform) throw apiErrors.voiceMessageNeedsMetadata();
}

/** Discord omits null fields of embeds, and titles and descriptions of spaces; its response schema does not allow null there. */
function normalizeEmbeds(embeds: readonly APIEmbed[]): readonly APIEmbed[] {
	return mapJson(embeds, (value, [, field, ...inner]) => {
		const isText = typeof value === "string" && inner.length === 0 && (field === "title" || field === "description");
		return (isText ? value.trim() || undefined : value) ?? undefined;
	}) as readonly APIEmbed[];
}

type NewFile = Omit<NewAttachment, "bytes"> & { readonly file: UploadedFile };

/** Only voice messages have a length and a waveform. */
function newFile(file: UploadedFile, entry: AttachmentBody, isVoice: boolean): NewFile {
	const { description, title, duration_secs, waveform } = entry;
	const filename = safeFilename(entry.filename ?? file.filename);
	const isSpoiler = entry.is_spoiler ?? filename.startsWith("SPOILER_");
	return {
		file,
		filename,
		...(description && { description }),
		...(title && { title }),
		...(isVoice && duration_secs != null && { duration_secs }),
		...(isVoice && waveform && { waveform }),
		...(isSpoiler && { flags: AttachmentFlags.IsSpoiler }),
	};
}

/**
 * Matches `files[n]` with `attachments[].id`, and lists all files without `attachments`. The list is complete: others are removed,
 * except those of `keptNames`.
 */
function planAttachments(
	body: MessageBody,
	files: readonly UploadedFile[],
	existing: readonly StoredAttachment[],
	keptNames: ReadonlySet<string>,
): (StoredAttachment | NewFile)[] {
	if (body.attachments === undefined && files.length === 0) return [...existing];
	const listed: readonly AttachmentBody[] =
		body.attachments === undefined ? files.map(({ index }) => ({ id: String(index) })) : (body.attachments ?? []);
	const errors: FieldError[] = [];
	const unlisted = new Map(files.map((file) => [String(file.index), file]));
	const plan: (StoredAttachment | NewFile)[] = [];
	for (const [index, entry] of listed.entries()) {
		const file = unlisted.get(entry.id);
		const attachment = existing.find(({ id }) => id === entry.id);
		if (file) {
			unlisted.delete(entry.id);
			plan.push(newFile(file, entry, isVoiceMessage({ flags: body.flags ?? 0 })));
		} else if (attachment) {
			const { description: before, ...kept } = attachment;
			const description = entry.description === undefined ? before : entry.description;
			plan.push({ ...kept, ...(description && { description }) });
		} else {
			const message = `${entry.id} is neither the n of a files[n] nor an attachment of this message.`;
			errors.push({ path: ["attachments", index, "id"], code: "ATTACHMENT_NOT_FOUND", message });
		}
	}
	for (const index of unlisted.keys()) {
		const message = `files[${index}] was uploaded, but no attachment has the id "${index}".`;
		errors.push({ path: ["attachments"], code: "ATTACHMENT_NOT_LISTED", message });
	}
	rejectFields(errors);
	const plannedNames = new Set(plan.map(({ filename }) => filename));
	plan.push(...existing.filter(({ filename }) => keptNames.has(filename) && !plannedNames.has(filename)));
	return plan;
}

/** Returns the files that embeds and components show as `attachment://name`, with the places of the references. */
export function attachmentReferences({ embeds, components }: Pick<StoredMessage, "embeds" | "components">) {
	return [...urlsIn({ embeds, components })].flatMap(({ path, url }) => {
		const name = attachmentName(url);
		return name === undefined ? [] : { path, name };
	});
}

/** Returns the name of the file that `attachment://name` refers to; `undefined` for other URLs. */
export function attachmentName(url: string): string | undefined {
	const scheme = "attachment://";
	return url.startsWith(scheme) ? safeFilename(url.slice(scheme.length)) : undefined;
}

/** Sanitizes a file name as Discord does: no folders, only letters, digits and `._-`. */
export function safeFilename(name: string): string {
	const base = name.split(/[/\\]/).at(-1) ?? "";
	const safe = base.replace(/[^\p{L}\p{N}._-]/gu, "_").slice(-FILENAME_CHARS_MAX);
	return /^\.*$/.test(safe) ? "unknown" : safe;
}

function flagsAfter(requested: number | null, previous: number | null): number {
	if (previous === null) return requested ?? 0;
	const fixed = previous & ~MessageFlags.Loading & ~(requested === null ? 0 : MessageFlags.SuppressEmbeds);
	return fixed | ((requested ?? 0) & EDITABLE_FLAGS);
}
