/** Parses the options of each subcommand of `/quota` into one change of the settings. Denies options that contradict each other. */
import { findTimeZone } from "../services/credits/time-zones.ts";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { GuildSettings, SettingsUpdate } from "../services/settings/guild-settings.ts";
import { PERIODS, type Period } from "../services/credits/period.ts";
import {
	changeDefaultLimit,
	changeMediaTypeLimit,
	changeMemberLimit,
	changeRoleLimit,
	changeServerLimit,
	type LimitChange,
} from "../services/credits/quota-changes.ts";
import { quote } from "../i18n/quote.ts";
import { UserError } from "../services/user-error.ts";
import type { SlashInteraction } from "./framework/command.ts";

/** Reads the change of the settings from the options of a subcommand. */
export type ReadQuotaUpdate = (interaction: SlashInteraction) => SettingsUpdate;

export const TIME_ZONE_CHARS_MAX = 60;
const UNUSED_CREDITS_RULES = ["expire", "carryOver"] as const satisfies readonly GuildSettings["unusedCredits"][];

export const changeOfServer: ReadQuotaUpdate = (interaction) => {
	const { options } = interaction;
	const credits = options.getInteger("credits") ?? undefined;
	const isUnlimited = isChosen(interaction, "unlimited");
	if (credits !== undefined && isUnlimited) throw new UserError({ key: "quota.serverLimitChoices" });
	const warnChannel = options.getChannel("warn_channel");
	const isWarningOff = isChosen(interaction, "warnings_off");
	if (warnChannel && isWarningOff) throw new UserError({ key: "quota.warningChoices" });
	const change = {
		limit: isUnlimited ? ("unlimited" as const) : credits,
		per: periodOf(interaction),
		unused: UNUSED_CREDITS_RULES.find((each) => each === options.getString("unused")),
		timeZone: timeZoneOf(interaction),
		warnChannelId: isWarningOff ? null : warnChannel?.id,
	};
	return (settings) => changeServerLimit(settings, change);
};

export const changeOfRole: ReadQuotaUpdate = (interaction) => {
	const { id } = interaction.options.getRole("role", true);
	if (id === interaction.guildId) throw new UserError({ key: "quota.everyoneRole" });
	const limitOption = limitOf(interaction);
	if (limitOption === undefined) throw new UserError({ key: "quota.limitChoices" });
	return (settings) => changeRoleLimit(settings, id, limitOption);
};

export const changeOfMember: ReadQuotaUpdate = (interaction) => {
	const member = interaction.options.getUser("member");
	const limitOption = limitOf(interaction);
	const per = periodOf(interaction);
	if (!member) return (settings) => changeDefaultLimit(settings, limitOption, per);
	if (per !== undefined) throw new UserError({ key: "quota.periodForEveryone" });
	if (limitOption === undefined) throw new UserError({ key: "quota.limitChoices" });
	return (settings) => changeMemberLimit(settings, member.id, limitOption);
};

export const changeOfMediaType: ReadQuotaUpdate = (interaction) => {
	const choice = interaction.options.getString("media_type", true);
	const mediaType = MEDIA_TYPES.find((each) => each === choice);
	if (!mediaType) throw new Error(`unknown media type: ${choice}`);
	const credits = interaction.options.getInteger("credits");
	const isCleared = isChosen(interaction, "clear");
	if ((credits === null) === !isCleared) throw new UserError({ key: "quota.mediaTypeChoices" });
	return (settings) => changeMediaTypeLimit(settings, mediaType, credits ?? "clear");
};

function limitOf(interaction: SlashInteraction): LimitChange | undefined {
	const limits: LimitChange[] = [];
	const credits = interaction.options.getInteger("credits");
	if (credits !== null) limits.push(credits);
	if (isChosen(interaction, "unlimited")) limits.push("unlimited");
	if (isChosen(interaction, "clear")) limits.push("clear");
	if (limits.length > 1) throw new UserError({ key: "quota.limitChoices" });
	return limits[0];
}

/** Returns whether the member chose `true`: `false` means the same as a missing option. */
function isChosen({ options }: SlashInteraction, name: string): boolean {
	return options.getBoolean(name) === true;
}

function periodOf({ options }: SlashInteraction): Period | undefined {
	const choice = options.getString("per");
	return PERIODS.find((period) => period === choice);
}

function timeZoneOf({ options }: SlashInteraction): string | undefined {
	const typed = options.getString("time_zone");
	return typed === null ? undefined : requireTimeZone(typed);
}

/** Returns the name of the typed time zone. Denies an unknown one. */
export function requireTimeZone(typed: string): string {
	const timeZone = findTimeZone(typed);
	if (timeZone !== undefined) return timeZone;
	throw new UserError({ key: "quota.timeZoneUnknown", params: { typed: quote(typed, TIME_ZONE_CHARS_MAX) } });
}
