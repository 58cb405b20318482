import { ServerSettings } from "@atelier/dashboard/settings-schema";
import { keyNameOf, memberIdOf } from "../../../services/access/change-author.ts";
import { previewLimits } from "../../../services/credits/preview-limits.ts";
import { findFilterMatch, normalizePattern } from "../../../services/moderation/word-filter.ts";
import { modelsForStyles } from "../../../services/settings/styles.ts";
import { formatFieldChange } from "../../../services/settings/format-changes.ts";
import {
	diffSettings,
	SettingsConflictError,
	type GuildSettings,
	type SettingsRevision,
} from "../../../services/settings/guild-settings.ts";
import {
	applyDocument,
	buildStyles,
	changedStyles,
	findProblems,
} from "../../../services/settings/settings-document.ts";
import {
	findForeignChannels,
	readSettingsFile,
	requireGuildChannels,
	writeSettingsFile,
} from "../../../services/settings/settings-file.ts";
import { UserError } from "../../../services/user-error.ts";
import { ApiError } from "../api-error.ts";
import { settingsAuthorOf, type Handlers } from "../api-request.ts";
import type { DashboardServices } from "../dashboard-services.ts";

const PAGE_CHANGES = 25;

export const settingsHandlers = {
	settings: async ({ params: { server } }, { settings }) => documentOf(await settings.readRevision(server)),

	async saveSettings({ params: { server }, body, reader }, { settings, channels, catalog }) {
		const before = await settings.read(server);
		const isOwn = (channelId: string) => channels.isInGuild(server, channelId);
		const problems = await findForeignChannels(body.settings, isOwn, before);
		if (problems.length > 0) throw new UserError({ key: "web.invalid", params: { problems: problems.join("; ") } });
		const changed = changedStyles(before.styles, body.settings.styles);
		if (Object.keys(changed).length > 0 && modelsForStyles(catalog, null).length === 0) await catalog.refresh();
		const styles = { ...body.settings.styles, ...buildStyles(changed, modelsForStyles(catalog, null)) };
		const apply = (stored: GuildSettings): GuildSettings => applyValid(stored, { ...body.settings, styles });
		const saved = await orConflict(settings.changeRevision(server, body.revision, apply, settingsAuthorOf(reader)));
		reader.logger.info({ userId: reader.userId, revision: saved.revision }, "settings saved");
		return documentOf(saved);
	},

	exportSettings: async ({ params: { server } }, { settings }) => writeSettingsFile(await settings.read(server)),

	async previewImport({ params: { server }, body: { text }, reader }, services) {
		const imported = await readFile(server, text, services);
		const { settings, revision } = await services.settings.readRevision(server);
		const changes = diffSettings(settings, imported).map((change) => formatFieldChange(change, reader.locale));
		return { revision, changes };
	},

	async importSettings({ params: { server }, body: { text, revision }, reader }, services) {
		const imported = await readFile(server, text, services);
		const saved = await orConflict(
			services.settings.changeRevision(server, revision, () => imported, settingsAuthorOf(reader)),
		);
		reader.logger.info({ userId: reader.userId, revision: saved.revision }, "settings imported");
		return documentOf(saved);
	},

	async previewLimits({ params: { server }, body }, services) {
		const stored = await services.settings.read(server);
		return await previewLimits(server, applyValid(stored, { ...ServerSettings.parse(stored), ...body }), services);
	},

	async settingsChanges({ params: { server }, query: { before }, reader }, { settings }) {
		const changes = [];
		for await (const change of settings.changes(server, before)) {
			if (changes.length === PAGE_CHANGES) return { changes, nextBefore: change.revision + 1 };
			const { by } = change;
			const fields = change.changes.map((each) => formatFieldChange(each, reader.locale));
			changes.push({ ...change, userId: memberIdOf(by), keyName: keyNameOf(by), fields });
		}
		return { changes, nextBefore: null };
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
async function orConflict(saving: Promise<SettingsRevision>): Promise<SettingsRevision> {
	try {
		return await saving;
	} catch (error) {
		if (error instanceof SettingsConflictError)
			throw new ApiError("conflict", { key: "web.conflict" }, { cause: error });
		throw error;
	}
}

function documentOf({ revision, settings }: SettingsRevision): { revision: number; settings: ServerSettings } {
	return { revision, settings: ServerSettings.parse(settings) };
}

/** Throws a denial that names the invalid fields, as the command does. */
async function readFile(
	guildId: string,
	text: string,
	{ channels }: Pick<DashboardServices, "channels">,
): Promise<GuildSettings> {
	const imported = readSettingsFile(text);
	await requireGuildChannels(imported, (channelId) => channels.isInGuild(guildId, channelId));
	return imported;
}

/** Throws an `ApiError` that names every invalid field, and a `UserError` for what a command denies too. */
function applyValid(stored: GuildSettings, changed: ServerSettings): GuildSettings {
	const next = applyDocument(stored, changed);
	const problems = findProblems(next);
	if (problems.length > 0)
		throw new ApiError("invalid", { key: "web.invalid", params: { problems: problems.join("; ") } });
	return next;
}
