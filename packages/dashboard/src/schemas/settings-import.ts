/** The documents of the import of settings. */
import { z } from "zod";
import { SETTINGS_FILE_BYTES_MAX } from "../limits.ts";

const text = z.string().max(SETTINGS_FILE_BYTES_MAX);

/** The text of a file that `/settings export` or the page wrote. */
export const SettingsFile = z.object({ text });
export const ImportPreview = z.object({
	/** The settings that the changes are based on. */
	revision: z.int().min(0),
	/** The changes in words, in the reader's language, with Discord's mentions. */
	changes: z.array(z.string()),
});
export type ImportPreview = z.infer<typeof ImportPreview>;
export const SettingsImport = z.object({ revision: z.int().min(0), text });
