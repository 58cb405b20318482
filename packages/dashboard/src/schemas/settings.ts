/** The documents of settings and their changes. */
import { z } from "zod";
import { SETTINGS_FILE_BYTES_MAX } from "../limits.ts";
import { discordId, ServerSettings } from "../server-settings.ts";
import { pageOf, time } from "./values.ts";

/** The surfaces on which settings are changed. */
export const SURFACES = ["discord", "dashboard", "apiKey"] as const;

/** `revision` counts changes. A write with an old one is a conflict, and changes nothing. */
export const SettingsDocument = z.object({ revision: z.int().min(0), settings: ServerSettings });
export type SettingsDocument = z.infer<typeof SettingsDocument>;

export const LimitsPreview = z.object({
	/** Members who have already spent more than the new limits allow. */
	membersOver: z.int(),
	/** Further members who are over unless a role allows them more: the roles of only a few members are read. */
	membersUnknown: z.int(),
});
export type LimitsPreview = z.infer<typeof LimitsPreview>;

/** Newest first. */
export const SettingsChanges = pageOf(
	z.object({
		revision: z.int(),
		atMs: time,
		/** `null`: an API key or the operator. */
		userId: discordId.nullable(),
		/** The name of the API key that made the change. */
		keyName: z.string().nullable(),
		/** The surface on which the change was made. */
		via: z.enum(SURFACES),
		/** The changed fields in words, in the reader's language, with Discord's mentions as `<@ID>`, `<@&ID>`, `<#ID>`. */
		fields: z.array(z.string()),
	}),
	z.int(),
);
export type SettingsChanges = z.infer<typeof SettingsChanges>;

const text = z.string().max(SETTINGS_FILE_BYTES_MAX);

/** The text of a file that `/settings export` or the page wrote. */
export const SettingsFileBody = z.object({ text });
export const ImportPreview = z.object({
	/** The settings that the changes are based on. */
	revision: z.int().min(0),
	/** The changes in words, in the reader's language, with Discord's mentions. */
	changes: z.array(z.string()),
});
export type ImportPreview = z.infer<typeof ImportPreview>;
export const SettingsImportBody = z.object({ revision: z.int().min(0), text });
