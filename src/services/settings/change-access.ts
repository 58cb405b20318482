/** Changes of pauses, models, channels and roles. Pure: each takes the settings and returns new ones, or throws a denial. */
import { plainLine } from "../../i18n/quote.ts";
import { UserError } from "../user-error.ts";
import type { GuildSettings } from "./guild-settings.ts";
import { setValues } from "./setting-table.ts";
import { LIST_ENTRIES_MAX, PAUSE_CHARS_MAX } from "@atelier/dashboard/limits";

export function switchModel(settings: GuildSettings, modelId: string, isOn: boolean): GuildSettings {
	return setListedModels(settings, [modelId], isOn ? [] : [modelId]);
}

/** Turns the listed models off that are in `off`, and the other listed ones on. Models that are not listed stay as they are. */
export function setListedModels(
	settings: GuildSettings,
	listed: readonly string[],
	off: readonly string[],
): GuildSettings {
	const others = settings.access.modelsOff.filter((id) => !listed.includes(id));
	const modelsOff = requireListSize([...others, ...listed.filter((id) => off.includes(id))]);
	return setValues(settings, { "access.modelsOff": modelsOff });
}

export const ACCESS_RULES = ["allow", "deny", "clear"] as const;
export type AccessRule = (typeof ACCESS_RULES)[number];

/** Moves a channel or role to the list of its rule; `clear` removes it from both lists. */
export function setAccessRule(
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
export function replaceShownAccessLists(
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

/** Pauses the server, or ends its pause. `typedMessage`: the reason, which may be empty. */
export function setPause(settings: GuildSettings, isPaused: boolean, typedMessage = ""): GuildSettings {
	const message = plainLine(typedMessage, PAUSE_CHARS_MAX);
	return setValues(settings, { "access.paused": isPaused ? { message: message === "" ? null : message } : null });
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
