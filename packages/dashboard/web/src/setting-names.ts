/** The names of settings, for messages about changes. Pure. */
import type { Translate } from "./language.ts";
import type { Path } from "./settings-diff.ts";

/** Returns the name that the page shows for the setting at a path; the key of a group without a name. */
export function settingName(path: Path, t: Translate): string {
	const [group = "", name = ""] = path;
	switch (group) {
		case "allowance":
			return t("dashboard.page", { page: "limits" });
		case "media":
			return t("dashboard.settingsResults");
		case "safety":
			return t("dashboard.safety");
		case "filter":
			return t("dashboard.wordFilter");
		case "access":
			if (name === "paused") return t("dashboard.pause");
			if (name === "channels") return t("dashboard.channels");
			if (name === "roles") return t("dashboard.roles");
			return t("dashboard.mediaAndModels");
		case "timeZone":
			return t("dashboard.timeZone");
		case "unusedCredits":
			return t("dashboard.unusedCredits");
		case "serverLimit":
			return t("dashboard.serverLimit");
		case "warnChannelId":
			return t("dashboard.warnChannel");
		case "confirmAbove":
			return t("dashboard.confirmAbove");
		case "pings":
			return t("dashboard.pings");
		case "showcase":
			return t("dashboard.showcase");
		case "logChannelId":
			return t("dashboard.logChannel");
		case "reportChannelId":
			return t("dashboard.reportChannel");
		case "channelDefaults":
			return t("dashboard.channelDefaults");
		case "styles":
			return t("dashboard.styles");
		case "language":
			return t("dashboard.language");
		default:
			return group;
	}
}
