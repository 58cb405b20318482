/**
 * Differences between Discord and its published schema, by name. Applied to a copy for validation only; the simulator
 * uses what was sent.
 */
import { ChannelType } from "discord-api-types/v10";
import type * as spec from "discord-api-spec/zod";
import type * as inline from "./inline-schemas.ts";
import { fieldAt, mapJson } from "../json.ts";
import { COMMAND_ONLY_FIELDS } from "../simulator/commands.ts";

/** A schema name in Discord's description; the package appends "Schema". */
export type SchemaName = keyof (typeof spec & typeof inline) extends `${infer Name}Schema` ? Name : never;

/** eris sends its own field names beside Discord's, which Discord ignores. */
const ERIS_MESSAGE = ["embed", "allowedMentions"] as const;
const ERIS_COMMAND = ["defaultMemberPermissions", "defaultPermission", "default_permission", "dmPermission"] as const;
/** seyfert sends fields on options and subcommands that only others have. */
const SEYFERT_COMMAND = [
	"guild_id",
	...["options.*", "options.*.options.*", "options.*.options.*.options.*"].flatMap((option) =>
		["autocomplete", ...COMMAND_ONLY_FIELDS].map((name) => `${option}.${name}`),
	),
];
const COMMAND = [...ERIS_COMMAND, ...SEYFERT_COMMAND];

/** Fields that Discord accepts in requests, or sends in responses, although its schema does not list them. */
export const EXTRA_FIELDS: { readonly [name in SchemaName]?: readonly string[] } = {
	// discord.js repeats the id of the path.
	SetOverwriteRequest: ["id"],
	MessageCreateRequest: [...ERIS_MESSAGE, "messageReference", "messageReferenceID", "stickerIDs"],
	// discord.js sends the webhook's name and avatar with each edit.
	IncomingWebhookUpdateRequestPartial: ["tts", "enforce_nonce", "username", "avatar_url", ...ERIS_MESSAGE],
	MessageEditRequestPartial: ["tts", "enforce_nonce", ...ERIS_MESSAGE],
	IncomingWebhookRequestPartial: ["enforce_nonce", "wait", "auth", "avatarURL", "threadID", ...ERIS_MESSAGE],
	CreateMessageInteractionCallbackRequest: ["data.enforce_nonce", ...ERIS_MESSAGE.map((name) => `data.${name}`)],
	UpdateMessageInteractionCallbackRequest: [
		"data.tts",
		"data.enforce_nonce",
		...ERIS_MESSAGE.map((name) => `data.${name}`),
	],
	// discord.js sends the type of a thread that starts without a message.
	CreateTextThreadWithMessageRequest: ["type"],
	// discord.js sends its own name beside Discord's.
	UpdateGuildMemberRequest: ["communicationDisabledUntil"],
	ApplicationCommandCreateRequest: COMMAND,
	ApplicationCommandListRequest: COMMAND.map((path) => `*.${path}`),
	ApplicationCommandPatchRequestPartial: COMMAND,
	// File options list their types since August 2026.
	ApplicationCommandResponse: ["options.*.file_types", "options.*.options.*.file_types"],
};

/**
 * The paths of fields that only received embeds and components have. Discord ignores them when a client sends them back.
 * discord.js sends `animated` with every emoji.
 */
export const RECEIVED_FIELDS = new RegExp(
	[
		String.raw`\.(media|file|image|thumbnail)\.(id|proxy_url|width|height|content_type|attachment_id|placeholder|placeholder_version|flags)$`,
		String.raw`\.(author|footer)\.proxy_icon_url$`,
		String.raw`\bcomponents\.\d+\.(name|size)$`,
		String.raw`\b(components\.\d+|accessory|component)\.(options\.\d+\.)?emoji\.animated$`,
	].join("|"),
);

type Normalize = (key: string, value: unknown) => unknown;

/** Requests: Discord also accepts permissions as strings, and times with any offset. */
export const normalizeRequest: Normalize = (key, value) => {
	if (key === "default_member_permissions" && typeof value === "string" && /^\d{1,20}$/.test(value)) {
		// The schema's maximum is below the newest permission bits, so only the type is checked.
		return Number(BigInt(value) & 0x1f_ffff_ffff_ffffn);
	}
	if (key === "timestamp" || key === "communication_disabled_until") return withZ(value);
	return withListedChannelType(key, value);
};

/**
 * Responses: times end in an offset, the schema expects Z; codes of field errors are strings, the schema expects
 * numbers.
 */
export const normalizeResponse: Normalize = (key, value) => {
	if (key === "code" && typeof value === "string") return 0;
	return withListedChannelType(key, withZ(value));
};

/** Channel menus and options may offer media channels, which the schema does not list. */
function withListedChannelType(key: string, value: unknown): unknown {
	return key === "channel_types" && value === ChannelType.GuildMedia ? ChannelType.GuildForum : value;
}

function withZ(value: unknown): unknown {
	return typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$/.test(value)
		? new Date(value).toISOString()
		: value;
}

/** Returns a copy with every single value passed through `normalize`. */
export function normalizeAll(body: unknown, normalize: Normalize): unknown {
	return mapJson(body, (value, path) =>
		typeof value === "object" && value !== null ? value : normalize(fieldAt(path), value),
	);
}
