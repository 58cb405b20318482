import { ServerSettings } from "@atelier/dashboard/server-settings";
import { keyNameOf, memberIdOf } from "../../../services/access/change-author.ts";
import { previewLimits } from "../../../services/credits/preview-limits.ts";
import { findFilterMatch, normalizePattern } from "../../../services/settings/word-filter.ts";
import { modelsForStyles } from "../../../services/settings/styles.ts";
import { formatFieldChange } from "../../../services/settings/format-changes.ts";
import {
	SettingsConflictError,
	type SettingsRevision,
	type SettingsUpdate,
} from "../../../services/settings/settings-store.ts";
import type { GuildSettings } from "../../../services/settings/guild-settings.ts";
import { applyDocument, changedStyles, findProblems } from "../../../services/settings/settings-document.ts";
import { readSettingsFile, writeSettingsFile } from "../../../services/settings/settings-file.ts";
import { ApiError } from "../api-error.ts";
import { settingsAuthorOf, type Handlers, type Caller } from "../api-request.ts";
import type { DashboardServices } from "../dashboard-services.ts";

const PAGE_CHANGES = 25;

export const settingsHandlers = {
	settings: async ({ params: { server } }, { settings }) => documentOf(await settings.readRevision(server)),

	async saveSettings({ params: { server }, body: { revision, settings: changed }, caller }, services) {
		const { settings, catalog } = services;
		const { styles } = await settings.read(server);
		const hasChangedStyles = Object.keys(changedStyles(styles, changed.styles)).length > 0;
		if (hasChangedStyles && modelsForStyles(catalog, null).length === 0) await catalog.refresh();
		const update: SettingsUpdate = (before) => applyValid(before, changed, services);
		return await changeRevision(server, revision, update, caller, services);
	},

	exportSettings: async ({ params: { server } }, { settings }) => writeSettingsFile(await settings.read(server)),

	async previewImport({ params: { server }, body: { text }, caller }, { settingsService }) {
		const imported = readSettingsFile(text);
		const { revision, changes } = await settingsService.preview(server, () => imported);
		return { revision, changes: changes.map((change) => formatFieldChange(change, caller.locale)) };
	},

	async importSettings({ params: { server }, body: { text, revision }, caller }, services) {
		const imported = readSettingsFile(text);
		return await changeRevision(server, revision, () => imported, caller, services);
	},

	async previewLimits({ params: { server }, body }, services) {
		const stored = await services.settings.read(server);
		return await previewLimits(
			server,
			applyValid(stored, { ...ServerSettings.parse(stored), ...body }, services),
			services,
		);
	},

	async settingsChanges({ params: { server }, query: { before }, caller }, { settings }) {
		const items = [];
		for await (const change of settings.changes(server, before)) {
			if (items.length === PAGE_CHANGES) return { items, next: change.revision + 1 };
			const { by } = change;
			const fields = change.changes.map((each) => formatFieldChange(each, caller.locale));
			items.push({ ...change, userId: memberIdOf(by), keyName: keyNameOf(by), fields });
		}
		return { items, next: null };
	},

	async testFilter({ body: { text, patterns } }) {
		const match = findFilterMatch(
			patterns.map((pattern) => normalizePattern(pattern)),
			text,
		);
		return { pattern: match?.pattern ?? null };
	},
} satisfies Partial<Handlers>;

/** Throws an `ApiError` if another admin saved first. */
async function changeRevision(
	guildId: string,
	revision: number,
	update: SettingsUpdate,
	caller: Caller,
	{ settingsService }: Pick<DashboardServices, "settingsService">,
) {
	try {
		const author = settingsAuthorOf(caller);
		return documentOf(await settingsService.change({ guildId, author, update, revision }, caller.logger));
	} catch (error) {
		if (error instanceof SettingsConflictError)
			throw new ApiError("conflict", { key: "web.conflict" }, { cause: error });
		throw error;
	}
}

function documentOf({ revision, settings }: SettingsRevision): { revision: number; settings: ServerSettings } {
	return { revision, settings: ServerSettings.parse(settings) };
}

/** Throws an `ApiError` that names every invalid field, and a `UserError` for what a command denies too. */
function applyValid(
	stored: GuildSettings,
	changed: ServerSettings,
	{ catalog }: Pick<DashboardServices, "catalog">,
): GuildSettings {
	const next = applyDocument(stored, changed, modelsForStyles(catalog, null));
	const problems = findProblems(next);
	if (problems.length > 0) throw new ApiError("invalid", { key: "web.invalid" }, { problems });
	return next;
}
