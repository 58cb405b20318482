/** Rules for messages that Discord enforces beyond its schema. */
import { ComponentType, MessageFlags } from "discord-api-types/v10";
import type { FieldError } from "../simulator/api-error.ts";
import type { MessageBody } from "../simulator/build-message.ts";
import { walkComponents } from "../simulator/components.ts";
import { componentErrors } from "./component-validation.ts";
import { pollErrors } from "./poll-validation.ts";

const CONTENT_CHARS_MAX = 2_000;
const EMBED_CHARS_MAX = 6_000;
const COMPONENTS_MAX = 40;
const TEXT_DISPLAY_CHARS_MAX = 4_000;
const ACTION_ROWS_MAX = 5;

const { SuppressEmbeds, Ephemeral, SuppressNotifications, IsComponentsV2 } = MessageFlags;
/** The flags that each kind of request may set. */
const FLAGS = {
	interactionCreate: SuppressEmbeds | Ephemeral | SuppressNotifications | IsComponentsV2,
	webhookCreate: SuppressEmbeds | SuppressNotifications | IsComponentsV2,
	webhookEdit: SuppressEmbeds | IsComponentsV2,
	botCreate: SuppressEmbeds | SuppressNotifications | IsComponentsV2,
	botEdit: SuppressEmbeds | IsComponentsV2,
} as const;

export type MessageRequest = keyof typeof FLAGS;

export function messageErrors(body: MessageBody, kind: MessageRequest): FieldError[] {
	return [
		...contentErrors(body),
		...flagErrors(body.flags ?? 0, FLAGS[kind]),
		...embedErrors(body.embeds ?? []),
		...(body.poll ? pollErrors(body.poll) : []),
		...mentionErrors(body.allowed_mentions ?? {}),
		...componentListErrors(body, kind.endsWith("Edit")),
	];
}

function contentErrors({ content }: MessageBody): FieldError[] {
	if ((content ?? "").length <= CONTENT_CHARS_MAX) return [];
	return [
		{ path: ["content"], code: "BASE_TYPE_MAX_LENGTH", message: `Must be ${CONTENT_CHARS_MAX} or fewer in length.` },
	];
}

export function flagErrors(flags: number, allowed: number): FieldError[] {
	if (Number.isInteger(flags) && flags >= 0 && (flags & ~allowed) === 0) return [];
	return [{ path: ["flags"], code: "INVALID_FLAGS", message: `These flags cannot be set here: ${flags}.` }];
}

function embedErrors(embeds: NonNullable<MessageBody["embeds"]>): FieldError[] {
	const chars = embeds
		.flatMap(({ title, description, author, footer, fields }) => [
			title,
			description,
			author?.name,
			footer?.text,
			...(fields ?? []).flatMap(({ name, value }) => [name, value]),
		])
		.reduce((sum, text) => sum + (text ?? "").length, 0);
	if (chars <= EMBED_CHARS_MAX) return [];
	const message = `Embeds together may have ${EMBED_CHARS_MAX} characters; these have ${chars}.`;
	return [{ path: ["embeds"], code: "MAX_EMBED_SIZE_EXCEEDED", message }];
}

function mentionErrors(allowed: NonNullable<MessageBody["allowed_mentions"]>): FieldError[] {
	return (["users", "roles"] as const)
		.filter(
			(kind) => (allowed.parse as readonly string[] | undefined)?.includes(kind) && (allowed[kind]?.length ?? 0) > 0,
		)
		.map((kind) => ({
			path: ["allowed_mentions"],
			code: "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
			message: `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
		}));
}

function componentListErrors({ components, flags, content, embeds, poll }: MessageBody, isEdit: boolean): FieldError[] {
	if (!components) return [];
	const all = Array.from(walkComponents(components), ({ component }) => component);
	const errors = componentErrors(components, ["components"]);
	const addError = (code: string, message: string, field = "components"): void =>
		void errors.push({ path: [field], code, message });

	const ids = all.flatMap(({ custom_id: id }) => (typeof id === "string" ? id : []));
	if (new Set(ids).size < ids.length)
		addError("COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated");
	const isV2 = ((flags ?? 0) & IsComponentsV2) !== 0;
	if (isV2) {
		if (all.length > COMPONENTS_MAX)
			addError("BASE_TYPE_MAX_LENGTH", `Must be ${COMPONENTS_MAX} or fewer components in total.`);
		const texts = all.filter(({ type }) => type === ComponentType.TextDisplay);
		const chars = texts.reduce((sum, { content: text }) => sum + String(text).length, 0);
		if (chars > TEXT_DISPLAY_CHARS_MAX)
			addError("BASE_TYPE_MAX_LENGTH", `Text displays may have ${TEXT_DISPLAY_CHARS_MAX} characters together.`);
		const legacy = { content, embeds: embeds?.length ? embeds : undefined, poll };
		for (const [field, value] of Object.entries(legacy)) {
			if (value)
				addError(
					"MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
					`${field} cannot be used with components v2.`,
					field,
				);
		}
		return errors;
	}
	// An edit need not repeat an existing flag; the simulator validates the whole message.
	if (!isEdit && components.some(({ type }) => type !== ComponentType.ActionRow)) {
		addError("UNION_TYPE_CHOICES", "Without the flag IS_COMPONENTS_V2 only action rows can stand here.");
	}
	const rows = components.filter(({ type }) => type === ComponentType.ActionRow).length;
	if (!isEdit && rows > ACTION_ROWS_MAX)
		addError("BASE_TYPE_MAX_LENGTH", `Must be ${ACTION_ROWS_MAX} or fewer in length.`);
	return errors;
}
