/** Changes of settings other than limits. Pure: each takes the settings and returns new ones, or throws a denial. */
import type { MediaType } from "@atelier/media-protocol/model";
import type { Category } from "../moderation/verdict.ts";
import { definedFields } from "../defined-fields.ts";
import { UserError } from "../user-error.ts";
import type { GuildSettings } from "./guild-settings.ts";
import { LIST_ENTRIES_MAX } from "./settings-schema.ts";

/** The languages that admins can choose: Discord's code, and the language's own name. */
export const LANGUAGES = {
	"en-US": "English",
	de: "Deutsch",
	fr: "Français",
	"es-ES": "Español",
	"pt-BR": "Português do Brasil",
	ja: "日本語",
	ko: "한국어",
	"zh-CN": "简体中文",
} as const satisfies Record<string, string>;

/** Absent switches stay unchanged. */
export interface MediaChange {
	/** By media type: true if members may generate it. */
	readonly media?: { readonly [Type in MediaType]?: boolean | undefined };
	readonly spoiler?: boolean | undefined;
	readonly private?: boolean | undefined;
	readonly promptInFiles?: boolean | undefined;
	readonly improvePrompts?: boolean | undefined;
}

export function changeMedia(
	settings: GuildSettings,
	{ media = {}, spoiler, private: isPrivate, promptInFiles, improvePrompts }: MediaChange,
): GuildSettings {
	const { mediaOff } = settings.access;
	const switches = Object.entries(media) as [MediaType, boolean | undefined][];
	const off = switches.flatMap(([mediaType, isOn]) =>
		isOn === false && !mediaOff.includes(mediaType) ? [mediaType] : [],
	);
	const on = new Set(switches.flatMap(([mediaType, isOn]) => (isOn === true ? [mediaType] : [])));
	return {
		...settings,
		access: { ...settings.access, mediaOff: [...mediaOff.filter((mediaType) => !on.has(mediaType)), ...off] },
		media: {
			...settings.media,
			...definedFields({ spoiler, private: isPrivate, promptInFiles, improvePrompts }),
		},
	};
}

export function changeModel(settings: GuildSettings, modelId: string, isOn: boolean): GuildSettings {
	return changeModels(settings, [modelId], isOn ? [] : [modelId]);
}

/** Turns the listed models off that are in `off`, and the other listed ones on. Models that are not listed stay as they are. */
export function changeModels(
	settings: GuildSettings,
	listed: readonly string[],
	off: readonly string[],
): GuildSettings {
	const others = settings.access.modelsOff.filter((id) => !listed.includes(id));
	const modelsOff = requireListSize([...others, ...listed.filter((id) => off.includes(id))]);
	return { ...settings, access: { ...settings.access, modelsOff } };
}

export const ACCESS_RULES = ["allow", "deny", "clear"] as const;
export type AccessRule = (typeof ACCESS_RULES)[number];

/** Moves a channel or role to the list of its rule; `clear` removes it from both lists. */
export function changeAccess(
	settings: GuildSettings,
	kind: "channels" | "roles",
	id: string,
	rule: AccessRule,
): GuildSettings {
	const allowed = without(settings.access[kind].allowed, [id]);
	const denied = without(settings.access[kind].denied, [id]);
	const lists = {
		allowed: rule === "allow" ? requireListSize([...allowed, id]) : allowed,
		denied: rule === "deny" ? requireListSize([...denied, id]) : denied,
	};
	return { ...settings, access: { ...settings.access, [kind]: lists } };
}

/** Replaces the first `shownMax` entries of both lists, which are all that a menu shows. An entry in both lists stays denied only. */
export function changeLists(
	settings: GuildSettings,
	kind: "channels" | "roles",
	{ allowed, denied, shownMax }: { allowed: readonly string[]; denied: readonly string[]; shownMax: number },
): GuildSettings {
	const before = settings.access[kind];
	const allDenied = [...denied, ...without(before.denied.slice(shownMax), [...denied, ...allowed])];
	const allAllowed = without([...allowed, ...without(before.allowed.slice(shownMax), allowed)], allDenied);
	const lists = { allowed: requireListSize(allAllowed), denied: requireListSize(allDenied) };
	return { ...settings, access: { ...settings.access, [kind]: lists } };
}

/** Settings without a group of their own. Absent fields stay unchanged. */
export type GeneralChange = {
	readonly [Field in "language" | "confirmAbove" | "pings" | "logChannelId" | "reportChannelId"]?:
		| GuildSettings[Field]
		| undefined;
};

export function changeGeneral(settings: GuildSettings, change: GeneralChange): GuildSettings {
	const { language, confirmAbove, pings, logChannelId, reportChannelId } = change;
	return { ...settings, ...definedFields({ language, confirmAbove, pings, logChannelId, reportChannelId }) };
}

export interface ShowcaseChange {
	readonly channelId: string | null | undefined;
	readonly stars: number | undefined;
}

export function changeShowcase(settings: GuildSettings, { channelId, stars }: ShowcaseChange): GuildSettings {
	return { ...settings, showcase: { ...settings.showcase, ...definedFields({ channelId, stars }) } };
}

export type SafetyChange = { readonly [Each in Category]?: GuildSettings["safety"][Each] | undefined };

export function changeSafety(settings: GuildSettings, change: SafetyChange): GuildSettings {
	return { ...settings, safety: { ...settings.safety, ...definedFields(change) } };
}

export function changePause(settings: GuildSettings, isPaused: boolean, message: string | null): GuildSettings {
	return { ...settings, access: { ...settings.access, paused: isPaused ? { message } : null } };
}

function without(list: readonly string[], removed: readonly string[]): string[] {
	return list.filter((id) => !removed.includes(id));
}

/** Returns the list, or throws a denial if it is longer than a stored list may be. */
function requireListSize<Item>(list: Item[]): Item[] {
	if (list.length > LIST_ENTRIES_MAX)
		throw new UserError({ key: "settings.listFull", params: { listedMax: LIST_ENTRIES_MAX } });
	return list;
}
