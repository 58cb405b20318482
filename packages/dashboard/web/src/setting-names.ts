/** The names of settings, for messages about changes. Pure. */
import type { Translate } from "./language.ts";
import type { PlainKey } from "./message-params.ts";
import type { Path } from "./settings-diff.ts";

const NAMES: Readonly<Record<string, PlainKey>> = {
	media: "dashboard.settingsResults",
	safety: "dashboard.safety",
	filter: "dashboard.wordFilter",
	access: "dashboard.mediaAndModels",
	"access.paused": "dashboard.pause",
	"access.channels": "dashboard.channels",
	"access.roles": "dashboard.roles",
	timeZone: "dashboard.timeZone",
	unusedCredits: "dashboard.unusedCredits",
	serverLimit: "dashboard.serverLimit",
	warnChannelId: "dashboard.warnChannel",
	confirmAbove: "dashboard.confirmAbove",
	pings: "dashboard.pings",
	showcase: "dashboard.showcase",
	logChannelId: "dashboard.logChannel",
	reportChannelId: "dashboard.reportChannel",
	channelDefaults: "dashboard.channelDefaults",
	styles: "dashboard.styles",
	language: "dashboard.language",
};

/** Returns the name that the page shows for the setting at a path; the key of a group without a name. */
export function settingName([group = "", name = ""]: Path, t: Translate): string {
	if (group === "allowance") return t("dashboard.page", { page: "limits" });
	const key = NAMES[`${group}.${name}`] ?? NAMES[group];
	return key === undefined ? group : t(key);
}
