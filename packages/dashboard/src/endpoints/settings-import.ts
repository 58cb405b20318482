/** The import of settings from a file, in two steps: what would change, then the change. */
import * as schemas from "../schemas/settings-import.ts";
import { SettingsDocument } from "../schemas.ts";

export const settingsImportEndpoints = {
	previewImport: {
		method: "POST",
		path: "/servers/:server/settings/file/preview",
		access: "manager",
		summary: "List what a file would change in the settings",
		body: schemas.SettingsFile,
		response: schemas.ImportPreview,
	},
	importSettings: {
		method: "PUT",
		path: "/servers/:server/settings/file",
		access: "manager",
		summary: "Replace all settings with those of a file, like /settings import",
		body: schemas.SettingsImport,
		response: SettingsDocument,
	},
} as const;
