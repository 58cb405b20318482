/** The documents of API keys. */
import { z } from "zod";
import { discordId } from "../server-settings.ts";
import { time } from "./values.ts";
import { KEY_NAME_CHARS_MAX } from "../limits.ts";

export const keyId = z.string().regex(/^[0-9a-f]{16}$/, { error: "expected the id of a key" });

/** A letter or a digit. */
export const KEY_NAME = /[\p{L}\p{N}]/u;

export const NewApiKeyBody = z.object({
	/** Unique in the server, because the list of changed settings identifies a key by its name. */
	name: z
		.string()
		.trim()
		.max(KEY_NAME_CHARS_MAX)
		.regex(KEY_NAME, { error: "expected a name with a letter or a digit" }),
});
export const ApiKeys = z.object({
	/** Newest first. */
	keys: z.array(
		z.object({
			id: keyId,
			name: z.string(),
			/** The first characters of the key. */
			prefix: z.string(),
			byUserId: discordId,
			createdAtMs: time,
			/** At most a minute too early; `null` before the first use. */
			lastUsedAtMs: time.nullable(),
		}),
	),
});
export type ApiKeys = z.infer<typeof ApiKeys>;
/** `key` is not shown again: the store contains only its hash. */
export const CreatedApiKey = ApiKeys.extend({ key: z.string() });
