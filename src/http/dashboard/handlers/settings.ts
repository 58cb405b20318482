import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { ServerSettings } from "@atelier/dashboard/settings-schema";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { keyNameOf, memberIdOf } from "../../../services/access/change-author.ts";
import { limitsFor } from "../../../services/credits/limits.ts";
import { periodAt } from "../../../services/credits/period.ts";
import { addPattern } from "../../../services/settings/change-moderation.ts";
import { findFilterMatch, normalizePattern } from "../../../services/moderation/word-filter.ts";
import { formatFieldChange } from "../../../services/settings/format-changes.ts";
import {
	diffSettings,
	SettingsConflictError,
	type GuildSettings,
	type SettingsRevision,
} from "../../../services/settings/guild-settings.ts";
import { LANGUAGES } from "../../../i18n/languages.ts";
import {
	findForeignChannels,
	readSettingsFile,
	requireGuildChannels,
	writeSettingsFile,
} from "../../../services/settings/settings-file.ts";
import { NO_DEFAULTS } from "../../../services/settings/channel-defaults.ts";
import { importedSettings } from "../../../services/settings/settings-schema.ts";
import { buildStyle, modelsForStyles } from "../../../services/settings/apply-style.ts";
import { addStyle } from "../../../services/settings/styles.ts";
import { UserError } from "../../../services/user-error.ts";
import { ApiError } from "../api-error.ts";
import { settingsAuthorOf, type Handlers } from "../api-request.ts";
import type { DashboardServices } from "../dashboard-services.ts";

const PAGE_CHANGES = 25;
/** Members whose roles are read from Discord for a preview of limits. */
const ROLES_READ_MAX = 20;

export const settingsHandlers = {
	settings: async ({ params: { server } }, { settings }) => documentOf(await settings.readRevision(server)),

	async saveSettings({ params: { server }, body, reader }, { settings, channels, catalog }) {
		const before = await settings.read(server);
		const isOwn = (channelId: string) => channels.isInGuild(server, channelId);
		const problems = await findForeignChannels(body.settings, isOwn, before);
		if (problems.length > 0) throw new UserError({ key: "web.invalid", params: { problems: problems.join("; ") } });
		const styles = await buildChangedStyles(before.styles, body.settings.styles, catalog);
		const apply = (stored: GuildSettings): GuildSettings => applySettings(stored, { ...body.settings, styles });
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

	async previewLimits({ params: { server }, body }, { accounts, directory, settings, clock }) {
		const stored = await settings.read(server);
		const changed = applySettings(stored, { ...ServerSettings.parse(stored), ...body });
		const nowMs = clock.nowMs();
		const { startsAtMs } = periodAt(nowMs, changed.allowance.per, changed.timeZone);
		const { members, spentCredits } = await accounts.readSpending(server, startsAtMs);
		const isOver = (userId: string, roleIds: readonly string[]): boolean =>
			limitsFor(changed, { guildId: server, userId, roleIds }, MEDIA_TYPES, nowMs).some(
				({ limit, spender }) => limit.kind !== "server" && spentCredits(spender) > limit.credits,
			);
		const userIds = [...members].flatMap((by) => memberIdOf(by) ?? []);
		// A role can only raise a limit: who is over with all roles is over with any, so only the others' roles are read.
		const allRoleIds = Object.keys(changed.allowance.roles);
		const overWithAllRoles = userIds.filter((userId) => isOver(userId, allRoleIds));
		const dependent = userIds.filter((userId) => isOver(userId, []) && !isOver(userId, allRoleIds));
		const overWithTheirRoles = await Promise.all(
			dependent.slice(0, ROLES_READ_MAX).map(async (userId) => {
				const member = await directory.readMember(server, userId);
				return isOver(userId, member?.roleIds ?? []);
			}),
		);
		return {
			membersOver: overWithAllRoles.length + overWithTheirRoles.filter(Boolean).length,
			membersUnknown: Math.max(0, dependent.length - ROLES_READ_MAX),
		};
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

/**
 * Returns the stored settings with the fields of the page. Blocks stay as they are. Throws a denial for a pattern that would be
 * simplified and for an invalid style, and an `ApiError` that names every invalid field.
 */
function applySettings(stored: GuildSettings, changed: ServerSettings): GuildSettings {
	const kept = stored.filter.patterns.filter((pattern) => changed.filter.patterns.includes(pattern));
	const added = changed.filter.patterns.filter((pattern) => !stored.filter.patterns.includes(pattern));
	const { filter } = added.reduce(addPattern, { ...stored, filter: { patterns: kept } });
	const styles = applyStyles(stored, changed.styles);
	const channelDefaults = Object.fromEntries(
		Object.entries(changed.channelDefaults).filter(([, defaults]) => !isDeepStrictEqual(defaults, NO_DEFAULTS)),
	);
	const next = { ...stored, ...changed, filter, styles, channelDefaults };
	// Later versions may have stored fields that this one does not know.
	const known = z.looseObject(importedSettings.shape).safeParse(next);
	const problems = known.error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
	if (next.language !== null && !Object.hasOwn(LANGUAGES, next.language))
		problems.push("language: expected a supported language");
	if (problems.length > 0)
		throw new ApiError("invalid", { key: "web.invalid", params: { problems: problems.join("; ") } });
	return next;
}

/** Throws a `UserError` for models and options that `/style add` rejects. A style stays as it is after its model is gone. */
async function buildChangedStyles(
	stored: GuildSettings["styles"],
	changed: ServerSettings["styles"],
	catalog: DashboardServices["catalog"],
): Promise<ServerSettings["styles"]> {
	const added = Object.entries(changed).filter(([name, style]) => {
		const before = Object.hasOwn(stored, name) ? stored[name] : undefined;
		return !before || !isDeepStrictEqual({ ...before, text: "" }, { ...style, text: "" });
	});
	if (added.length > 0 && modelsForStyles(catalog, null).length === 0) await catalog.refresh();
	const models = modelsForStyles(catalog, null);
	return { ...changed, ...Object.fromEntries(added.map(([name, style]) => [name, buildStyle(style, models)])) };
}

/** Checks names and texts of new and changed styles as the command does. */
function applyStyles(stored: GuildSettings, changed: ServerSettings["styles"]): GuildSettings["styles"] {
	const kept = Object.fromEntries(
		Object.entries(stored.styles).filter(([name, style]) => isDeepStrictEqual(changed[name], style)),
	);
	return Object.entries(changed)
		.filter(([name]) => !Object.hasOwn(kept, name))
		.reduce<GuildSettings>((before, [name, style]) => addStyle(before, name, style), {
			...stored,
			styles: kept,
		}).styles;
}
