/**
 * Where Discord and its own published schema differ, by name. Each is applied to a copy that only the schema sees; what
 * the world works with is what was sent.
 */
import type * as spec from "discord-api-spec/zod";
import { COMMAND_ONLY } from "../simulator/commands.ts";

/** The schema's name in Discord's description; the package adds "Schema" to each. */
export type SchemaName = keyof typeof spec extends `${infer Name}Schema` ? Name : never;

/** eris sends its own names of some fields beside Discord's, which Discord ignores. */
const ERIS_MESSAGE = ["embed", "allowedMentions"] as const;
const ERIS_COMMAND = ["defaultMemberPermissions", "dmPermission"] as const;
/** seyfert says of every option whether it has autocomplete, and of subcommands what only commands have. */
const SEYFERT_COMMAND = [
	"guild_id",
	...["options.*", "options.*.options.*", "options.*.options.*.options.*"].flatMap((option) =>
		["autocomplete", ...COMMAND_ONLY].map((name) => `${option}.${name}`),
	),
];
const COMMAND = ["nsfw", ...ERIS_COMMAND, ...SEYFERT_COMMAND];

/** Fields that the schema does not list and Discord accepts: clients send them with every request of this kind. */
export const ALSO_ACCEPTED: { readonly [name in SchemaName]?: readonly string[] } = {
	MessageCreateRequest: [...ERIS_MESSAGE, "messageReference", "stickerIDs"],
	IncomingWebhookUpdateRequestPartial: ["tts", "enforce_nonce", ...ERIS_MESSAGE],
	MessageEditRequestPartial: ["tts", "enforce_nonce", ...ERIS_MESSAGE],
	IncomingWebhookRequestPartial: ["enforce_nonce", "wait", ...ERIS_MESSAGE],
	CreateMessageInteractionCallbackRequest: ["data.enforce_nonce", ...ERIS_MESSAGE.map((name) => `data.${name}`)],
	UpdateMessageInteractionCallbackRequest: [
		"data.tts",
		"data.enforce_nonce",
		...ERIS_MESSAGE.map((name) => `data.${name}`),
	],
	ApplicationCommandCreateRequest: COMMAND,
	ApplicationCommandUpdateRequest: COMMAND,
	ApplicationCommandPatchRequestPartial: COMMAND,
};

/** Fields that answers carry and the schema of answers has not learnt yet. */
export const ALSO_ANSWERED: { readonly [name in SchemaName]?: readonly string[] } = {
	// Options that take files say which, since August 2026.
	ApplicationCommandResponse: ["options.*.file_types", "options.*.options.*.file_types"],
};

type Normalise = (key: string, value: unknown) => unknown;

/** Requests: the schema wants permissions as a number, Discord takes a string too; times may have any offset. */
export const normaliseRequest: Normalise = (key, value) => {
	if (key === "default_member_permissions" && typeof value === "string" && /^\d{1,20}$/.test(value)) {
		// The schema's ceiling is below the newest permission bits; what it checks here is only that this is a number.
		return Number(BigInt(value) & 0x1f_ffff_ffff_ffffn);
	}
	return key === "timestamp" ? withZ(value) : value;
};

/** Answers: times end in an offset, the schema wants a Z; the codes of field faults are words, the schema wants numbers. */
export const normaliseAnswer: Normalise = (key, value) => {
	if (key === "code" && typeof value === "string") return 0;
	return withZ(value);
};

function withZ(value: unknown): unknown {
	return typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$/.test(value)
		? new Date(value).toISOString()
		: value;
}

/** Values that Discord documents and the schema's list does not have: the schema sees the ones it knows. */
export const ANSWERED_INSTEAD: { readonly [name in SchemaName]?: Normalise } = {
	// The kinds of entitlement: 1 to 7 are ways of buying.
	EntitlementResponse: (key, value) => (key === "type" && typeof value === "number" && value < 8 ? 8 : value),
};

/** A copy with every value passed through `normalise`. */
export function normalised(value: unknown, normalise: Normalise, key = ""): unknown {
	if (Array.isArray(value)) return value.map((item) => normalised(item, normalise, key));
	if (typeof value !== "object" || value === null) return normalise(key, value);
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, normalised(inner, normalise, name)]));
}
