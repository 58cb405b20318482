/** Rules for messages that Discord enforces beyond its schema. */
import {
	type APIEmbed,
	type APIPollMedia,
	MessageFlags,
	MessageReferenceType,
	type RESTAPIPoll,
} from "discord-api-types/v10";
import type { Nullable } from "../json.ts";
import { type FieldError, REQUIRED, errorIf } from "../simulator/api-error.ts";
import type { MessageBody } from "../simulator/build-message.ts";
import { urlsIn } from "../simulator/components.ts";
import { POLL_ANSWER_CHARS_MAX } from "../limits.ts";

const CONTENT_CHARS_MAX = 2_000;
const EMBED_CHARS_MAX = 6_000;

const { SuppressEmbeds, Ephemeral, SuppressNotifications, IsComponentsV2, IsVoiceMessage } = MessageFlags;
/** Flags that each new message may have. */
const CREATABLE_FLAGS = SuppressEmbeds | SuppressNotifications | IsComponentsV2 | IsVoiceMessage;

/** The kind of a request for a message. */
export interface MessageKind {
	/** `user` is the bot with its own token, or a member. */
	readonly sender: "user" | "webhook" | "interaction";
	readonly isEdit?: boolean;
}

export function messageErrors(body: MessageBody, { sender, isEdit }: MessageKind): FieldError[] {
	const settable = CREATABLE_FLAGS | (sender === "interaction" ? Ephemeral : 0);
	return [
		...contentErrors(body),
		// An edit repeats all flags of the message; changes of others than it may change are ignored.
		...flagErrors(body.flags ?? 0, isEdit ? ~0 : settable),
		...embedErrors(body.embeds ?? []),
		...[...urlsIn({ embeds: body.embeds, components: body.components })].flatMap(urlErrors),
		...(body.poll ? pollErrors(body.poll) : []),
		...mentionErrors(body.allowed_mentions ?? {}),
		...forwardErrors(body.message_reference),
	];
}

function contentErrors({ content }: MessageBody): FieldError[] {
	const isTooLong = (content ?? "").length > CONTENT_CHARS_MAX;
	return errorIf(isTooLong, ["content"], "BASE_TYPE_MAX_LENGTH", `Must be ${CONTENT_CHARS_MAX} or fewer in length.`);
}

export function flagErrors(flags: number, allowed: number): FieldError[] {
	const isValid = Number.isInteger(flags) && flags >= 0 && (flags & ~allowed) === 0;
	return errorIf(!isValid, ["flags"], "INVALID_FLAGS", `These flags cannot be set here: ${flags}.`);
}

function urlErrors({
	path,
	url,
	schemes,
}: ReturnType<typeof urlsIn> extends Iterable<infer Found> ? Found : never): FieldError[] {
	const scheme = /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1]?.toLowerCase();
	if (url === "" || (scheme === "attachment" && schemes.includes(scheme))) return [];
	if (scheme === undefined || /\s/.test(url) || !URL.canParse(url))
		return [{ path, code: "URL_TYPE_INVALID_URL", message: "Not a well formed URL." }];
	const message = `Scheme "${scheme}" must be one of ('${schemes.join("', '")}').`;
	return errorIf(!schemes.includes(scheme), path, "URL_TYPE_INVALID_SCHEME", message);
}

function embedErrors(embeds: readonly APIEmbed[]): FieldError[] {
	const errors = embeds.flatMap((embed, index) => [
		...errorIf(isBlank(embed), ["embeds", index, "description"], ...REQUIRED),
		...(embed.fields ?? []).flatMap((field, n) =>
			(["name", "value"] as const).flatMap((part) =>
				errorIf(field[part].trim() === "", ["embeds", index, "fields", n, part], ...REQUIRED),
			),
		),
	]);
	const chars = embeds
		.flatMap(({ title, description, author, footer, fields }) => [
			title,
			description,
			author?.name,
			footer?.text,
			...(fields ?? []).flatMap(({ name, value }) => [name, value]),
		])
		.reduce((sum, text) => sum + (text ?? "").length, 0);
	const message = `Embeds together may have ${EMBED_CHARS_MAX} characters; these have ${chars}.`;
	return [...errors, ...errorIf(chars > EMBED_CHARS_MAX, ["embeds"], "MAX_EMBED_SIZE_EXCEEDED", message)];
}

/** Returns whether an embed has nothing to show: a color or a URL alone is no content. */
function isBlank({ title, description, author, footer, fields, image, thumbnail, timestamp }: APIEmbed): boolean {
	const text = [title, description, author?.name, footer?.text].join("").trim();
	return !(text || fields?.length || image || thumbnail || timestamp);
}

function pollErrors({ question, answers }: RESTAPIPoll): FieldError[] {
	return [
		...pollTextErrors(question, ["poll", "question", "text"]),
		...answers.flatMap(({ poll_media: media }, index) =>
			pollTextErrors(media, ["poll", "answers", index, "poll_media", "text"], POLL_ANSWER_CHARS_MAX),
		),
	];
}

function pollTextErrors(
	{ text = "" }: Nullable<Pick<APIPollMedia, "text">>,
	path: FieldError["path"],
	charsMax = Number.POSITIVE_INFINITY,
): FieldError[] {
	if (!text?.trim()) return errorIf(true, path, ...REQUIRED);
	return errorIf(text.length > charsMax, path, "BASE_TYPE_MAX_LENGTH", `Must be ${charsMax} or fewer in length.`);
}

function forwardErrors(reference: MessageBody["message_reference"]): FieldError[] {
	const isForward = reference?.type === MessageReferenceType.Forward;
	return errorIf(isForward, ["message_reference", "type"], "UNSUPPORTED", "The playground has no forwards.");
}

function mentionErrors(allowed: NonNullable<MessageBody["allowed_mentions"]>): FieldError[] {
	const parse: readonly string[] = allowed.parse ?? [];
	return (["users", "roles"] as const).flatMap((kind) => {
		const hasBoth = parse.includes(kind) && (allowed[kind]?.length ?? 0) > 0;
		const message = `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`;
		return errorIf(hasBoth, ["allowed_mentions"], "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message);
	});
}
