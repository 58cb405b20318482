/** Applies the settings that the dashboard or an API key sends as a whole to the stored ones, by the rules of the commands. No I/O. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { NO_DEFAULTS, type ServerSettings } from "@atelier/dashboard/server-settings";
import type { Model } from "@atelier/media-protocol/model";
import { addStyle, buildStyle } from "./styles.ts";
import { setPause } from "./change-access.ts";
import { addPattern } from "./change-moderation.ts";
import { type GuildSettings, importedSettingsSchema } from "./guild-settings.ts";

type Styles = ServerSettings["styles"];

/**
 * Returns the stored settings with the changed fields. Blocks stay as they are. Throws a `UserError` for a pattern that would be
 * simplified and for an invalid style. `models`: those that a style may use.
 */
export function applyDocument(stored: GuildSettings, changed: ServerSettings, models: readonly Model[]): GuildSettings {
	const kept = stored.filter.patterns.filter((pattern) => changed.filter.patterns.includes(pattern));
	const added = changed.filter.patterns.filter((pattern) => !stored.filter.patterns.includes(pattern));
	const { filter } = added.reduce(addPattern, { ...stored, filter: { patterns: kept } });
	const built = buildStyles(changedStyles(stored.styles, changed.styles), models);
	const styles = applyStyles(stored, { ...changed.styles, ...built });
	const channelDefaults = Object.fromEntries(
		Object.entries(changed.channelDefaults).filter(([, defaults]) => !isDeepStrictEqual(defaults, NO_DEFAULTS)),
	);
	const { paused } = changed.access;
	const { access } = setPause({ ...stored, access: changed.access }, paused !== null, paused?.message ?? "");
	return { ...stored, ...changed, access, filter, styles, channelDefaults };
}

/** Returns a problem for each invalid field. */
export function findProblems(settings: GuildSettings): readonly string[] {
	// Later versions may have stored fields that this one does not know.
	const { error } = z.looseObject(importedSettingsSchema.shape).safeParse(settings);
	return error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
}

/** Returns the styles that are new, or differ in more than their text. */
export function changedStyles(stored: GuildSettings["styles"], changed: Styles): Styles {
	return Object.fromEntries(
		Object.entries(changed).filter(([name, style]) => {
			const before = Object.hasOwn(stored, name) ? stored[name] : undefined;
			return !before || !isDeepStrictEqual({ ...before, text: "" }, { ...style, text: "" });
		}),
	);
}

/** Throws a `UserError` for models and options that `/style add` rejects. */
function buildStyles(styles: Styles, models: readonly Model[]): Styles {
	return Object.fromEntries(Object.entries(styles).map(([name, style]) => [name, buildStyle(style, models)]));
}

/** Checks names and texts of new and changed styles as the command does. */
function applyStyles(stored: GuildSettings, changed: Styles): GuildSettings["styles"] {
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
