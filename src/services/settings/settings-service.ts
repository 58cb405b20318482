/** Changes of a server's settings by members and API keys: all surfaces change them here, by the same rules. */
import { isDeepStrictEqual } from "node:util";
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import type { SettingsAuthor } from "../access/change-author.ts";
import type { ChannelDirectory } from "../access/request-channel.ts";
import type { TextPoster } from "../text-poster.ts";
import { UserError, type Denial } from "../user-error.ts";
import type { GuildLanguages } from "./guild-languages.ts";
import {
	diffSettings,
	SettingsConflictError,
	type ChangedSettings,
	type SettingsStore,
	type SettingsUpdate,
} from "./settings-store.ts";
import { type GuildSettings, storedSettingsSchema } from "./guild-settings.ts";
import { SETTING_PATHS, settingRow, valueAt, type SettingNeed, type SettingPath } from "./setting-table.ts";

interface SettingsChange {
	readonly guildId: string;
	readonly author: SettingsAuthor;
	readonly update: SettingsUpdate;
	/** The only revision that the change applies to; by default the current one. */
	readonly revision?: number;
}

export type SettingsService = ReturnType<typeof createSettingsService>;

interface SettingsServiceDeps {
	readonly settings: Pick<SettingsStore, "readRevision" | "change">;
	readonly channels: Pick<ChannelDirectory, "isInGuild">;
	readonly textPoster: TextPoster;
	readonly languages: Pick<GuildLanguages, "localeOf">;
	/** True for the parts that the operator has set up. */
	readonly provided: Readonly<Record<SettingNeed, boolean>>;
}

/** The denial of a change for the values of some settings. */
export class DeniedSettingsError extends UserError {
	readonly paths: readonly SettingPath[];

	constructor(paths: readonly SettingPath[], denial: Denial) {
		super(denial);
		this.paths = paths;
	}
}

const MISSING = {
	improver: { key: "settings.improverMissing" },
	moderation: { key: "settings.moderationMissing" },
} as const satisfies Record<SettingNeed, Denial>;

const DEFAULTS = storedSettingsSchema.parse({});

export function createSettingsService(deps: SettingsServiceDeps) {
	const { settings, channels, textPoster, languages, provided } = deps;

	/** Throws a `UserError` for a setting without effect, the role @everyone, and a channel of another server. */
	async function check(guildId: string, before: GuildSettings, after: GuildSettings): Promise<void> {
		for (const path of SETTING_PATHS) {
			const { needs } = settingRow(path);
			const value = valueAt(after, path);
			const isDefault = isDeepStrictEqual(value, valueAt(DEFAULTS, path));
			if (needs === undefined || provided[needs] || isDefault || isDeepStrictEqual(value, valueAt(before, path)))
				continue;
			throw new DeniedSettingsError([path], MISSING[needs]);
		}
		denyEveryone(guildId, before, after);
		const chosen = newChannels(before, after);
		const areOwn = await Promise.all(chosen.map(({ channelId }) => channels.isInGuild(guildId, channelId)));
		const foreign = chosen.flatMap(({ path }, index) => (areOwn[index] ? [] : [path]));
		if (foreign.length === 0) return;
		const fields = foreign.map((path) => settingRow(path).name);
		throw new DeniedSettingsError(foreign, { key: "settings.channelUnknown", params: { fields } });
	}

	/** Posts the greetings, and calls `change`. Removes them if it fails: they are untrue then. */
	async function greetBefore<Result>(
		chosen: readonly NewChannel[],
		locale: string,
		change: () => Promise<Result>,
	): Promise<Result> {
		const id = randomUUID();
		const greetings: { readonly channelId: string; readonly messageId: string }[] = [];
		try {
			for (const { path, channelId, greeting } of chosen) {
				const post = { text: t(locale, greeting), key: `${path}:${id}` };
				// After a lost response, a second post of the same key shows no second message, and returns the id of the first.
				const messageId = await textPoster
					.post(channelId, post)
					.catch(async () => await textPoster.post(channelId, post));
				if (messageId === undefined)
					throw new DeniedSettingsError([path], { key: "settings.channelNotWritable", params: { channelId } });
				greetings.push({ channelId, messageId });
			}
			return await change();
		} catch (error) {
			// The failure does not depend on whether they are removed.
			await Promise.allSettled(greetings.map((each) => textPoster.remove(each.channelId, each.messageId)));
			throw error;
		}
	}

	return {
		provided,
		/** Throws a `UserError` if the operator has not set up what a setting needs. */
		requireProvided(need: SettingNeed): void {
			if (!provided[need]) throw new UserError(MISSING[need]);
		},
		/** Checks a change and returns what it would change. Only `change` checks whether the bot can post in the new channels. */
		async preview(guildId: string, update: SettingsUpdate) {
			const { settings: before, revision } = await settings.readRevision(guildId);
			const after = update(before);
			await check(guildId, before, after);
			return { revision, changes: diffSettings(before, after) };
		},
		/**
		 * Changes the settings. Before that, posts a greeting in each channel that the change chooses for posts of the bot. Throws a
		 * `DeniedSettingsError` if the bot cannot post in one of them, and `SettingsConflictError` if there is a later revision.
		 */
		async change({ guildId, author, update, revision }: SettingsChange, logger: Logger): Promise<ChangedSettings> {
			const { settings: before, revision: current } = await settings.readRevision(guildId);
			if (revision !== undefined && revision !== current) throw new SettingsConflictError(guildId);
			const after = update(before);
			await check(guildId, before, after);
			const write = () => settings.change(guildId, update, author, revision);
			const chosen = newChannels(before, after);
			// Only greetings need the language, which may be a request to Discord.
			const changed =
				chosen.length === 0
					? await write()
					: await greetBefore(chosen, await languages.localeOf(guildId, before), write);
			// Only the first part of a path: others are ids and names.
			const sections = new Set(changed.changes.map(({ path }) => path.split(".")[0]));
			logger.info({ ...author, revision: changed.revision, settings: [...sections] }, "settings changed");
			return changed;
		},
	};
}

/** Throws for a new rule or limit of the role @everyone, whose id is that of the server: it would apply to all members. */
function denyEveryone(guildId: string, before: GuildSettings, after: GuildSettings): void {
	for (const list of ["allowed", "denied"] as const) {
		const isNew = after.access.roles[list].includes(guildId) && !before.access.roles[list].includes(guildId);
		if (isNew) throw new DeniedSettingsError([`access.roles.${list}`], { key: "settings.everyoneRole" });
	}
	if (after.allowance.roles[guildId] !== undefined && before.allowance.roles[guildId] === undefined)
		throw new DeniedSettingsError(["allowance.everyone"], { key: "quota.everyoneRole" });
}

interface NewChannel {
	readonly path: SettingPath;
	readonly channelId: string;
	readonly greeting: MessageDescriptor;
}

/** Returns the channels that a change chooses for posts of the bot. */
function newChannels(before: GuildSettings, after: GuildSettings): readonly NewChannel[] {
	return SETTING_PATHS.flatMap((path) => {
		const row = settingRow(path);
		if (row.input !== "postChannel") return [];
		const channelId = valueAt(after, path);
		if (typeof channelId !== "string" || channelId === valueAt(before, path)) return [];
		return [{ path, channelId, greeting: { key: row.greeting } as MessageDescriptor }];
	});
}
