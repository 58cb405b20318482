/** Changes of settings other than limits. Pure: each takes the settings and returns new ones, or throws a denial. */
import type { MediaType } from "@atelier/media-protocol/model";
import { UserError } from "../user-error.ts";
import type { GuildSettings } from "./guild-settings.ts";
import { LISTED_MAX } from "./settings-schema.ts";

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

/** Switches by name; absent ones stay unchanged. */
export interface MediaChange {
	readonly media: { readonly [Medium in MediaType]?: boolean | undefined };
	readonly spoiler: boolean | undefined;
	readonly private: boolean | undefined;
}

export function changeMedia(
	settings: GuildSettings,
	{ media, spoiler, private: isPrivate }: MediaChange,
): GuildSettings {
	const { mediaOff } = settings.access;
	const turned = Object.entries(media) as [MediaType, boolean | undefined][];
	const off = turned.flatMap(([medium, isOn]) => (isOn === false && !mediaOff.includes(medium) ? [medium] : []));
	const on = new Set(turned.flatMap(([medium, isOn]) => (isOn === true ? [medium] : [])));
	return {
		...settings,
		access: { ...settings.access, mediaOff: [...mediaOff.filter((medium) => !on.has(medium)), ...off] },
		media: {
			...settings.media,
			...(spoiler !== undefined && { spoiler }),
			...(isPrivate !== undefined && { private: isPrivate }),
		},
	};
}

export function changeModel(settings: GuildSettings, modelId: string, isOn: boolean): GuildSettings {
	const others = settings.access.modelsOff.filter((id) => id !== modelId);
	const modelsOff = isOn ? others : requireRoom([...others, modelId]);
	return { ...settings, access: { ...settings.access, modelsOff } };
}

export const RULES = ["allow", "deny", "clear"] as const;
export type Rule = (typeof RULES)[number];

/** A channel or role is in one list at most. */
export function changeAccess(
	settings: GuildSettings,
	kind: "channels" | "roles",
	id: string,
	rule: Rule,
): GuildSettings {
	const { allowed, denied } = settings.access[kind];
	const without = (list: readonly string[]): string[] => list.filter((each) => each !== id);
	const lists = {
		allowed: rule === "allow" ? requireRoom([...without(allowed), id]) : without(allowed),
		denied: rule === "deny" ? requireRoom([...without(denied), id]) : without(denied),
	};
	return { ...settings, access: { ...settings.access, [kind]: lists } };
}

export type GeneralChange = {
	readonly [Field in "language" | "confirmAbove" | "logChannelId" | "reportChannelId"]:
		| GuildSettings[Field]
		| undefined;
};

export function changeGeneral(settings: GuildSettings, change: GeneralChange): GuildSettings {
	const { language, confirmAbove, logChannelId, reportChannelId } = change;
	return {
		...settings,
		...(language !== undefined && { language }),
		...(confirmAbove !== undefined && { confirmAbove }),
		...(logChannelId !== undefined && { logChannelId }),
		...(reportChannelId !== undefined && { reportChannelId }),
	};
}

export function changePause(settings: GuildSettings, isPaused: boolean, message: string | null): GuildSettings {
	return { ...settings, access: { ...settings.access, paused: isPaused ? { message } : null } };
}

function requireRoom<Item>(list: Item[]): Item[] {
	if (list.length > LISTED_MAX) throw new UserError({ key: "settings.listFull", params: { listedMax: LISTED_MAX } });
	return list;
}
