/** The panel of `/quota`, its forms, and the changes that submitted forms describe. */
import { AttachmentBuilder, type APILabelComponent, type ModalSubmitFields } from "discord.js";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { cardReply, file, text } from "../discord/card.ts";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import { t } from "../i18n/messages.ts";
import type { GuildAccounts } from "../services/credits/guild-accounts.ts";
import { PERIODS, type Period } from "../services/credits/period.ts";
import { changeDefaultLimit, changeMediaTypeLimit, changeServerQuota } from "../services/credits/quota-changes.ts";
import { formatLimits, LIMIT_FIELDS, type LimitField } from "../services/settings/format-limits.ts";
import type { GuildSettings, SettingsUpdate } from "../services/settings/guild-settings.ts";
import { NUMBER_CHARS_MAX, creditsText, parseCredits } from "../services/settings/setup-steps.ts";
import { POST_CHANNEL_TYPES } from "../discord/channel-types.ts";
import {
	channelMenu,
	choiceOfOne,
	chosenValues,
	labelFor,
	idListOf,
	textInput,
	typedTexts,
} from "./framework/form-fields.ts";
import { checksumField, definePanel, settingParts, type DeniedChange, type PanelDeps } from "./framework/panel.ts";
import { greetNewChannel, type GreetingDeps } from "./framework/post-greeting.ts";
import { requireTimeZone, TIME_ZONE_CHARS_MAX } from "./quota-options.ts";

const limitCustomId = defineCustomId("limit", { field: idField.oneOf(...LIMIT_FIELDS), shown: checksumField });
const FILE_NAME = "limits.txt";

interface QuotaPanelDeps extends PanelDeps, Omit<GreetingDeps, "settings"> {
	readonly accounts: Pick<GuildAccounts, "readBalance">;
}

/** Renders the limits of a guild with their current use. */
export async function quotaPanel(
	{ guildId, locale }: { readonly guildId: string; readonly locale: string },
	settings: GuildSettings,
	{ accounts }: Pick<QuotaPanelDeps, "accounts">,
	denial?: DeniedChange<LimitField>,
) {
	const { balance, fields, exceptions, file: fileText } = await formatLimits(accounts, guildId, settings, locale);
	const parts = [
		text(balance),
		...LIMIT_FIELDS.flatMap((field) => {
			const content = fields[field];
			const setting = { field, value: limitValueOf(settings, field) };
			return content === undefined ? [] : settingParts(content, setting, limitCustomId, denial, locale);
		}),
		...exceptions.map(text),
		...(fileText === undefined ? [] : [file(FILE_NAME)]),
	];
	const files = fileText === undefined ? [] : [new AttachmentBuilder(Buffer.from(fileText), { name: FILE_NAME })];
	return { ...cardReply(parts), files };
}

export const { components: quotaPanelComponents } = definePanel<LimitField, QuotaPanelDeps>({
	customIdCodec: limitCustomId,
	formTitleKey: "form.settingTitle",
	valueOf: limitValueOf,
	toggle: (_settings, field) => (field === "unused" ? toggleUnused : undefined),
	fields: (field, settings, _deps, locale) => limitFields(field, settings, locale),
	async read(interaction, field, deps) {
		const change = readLimitForm(field, interaction.fields);
		if (field === "warnings") await greetNewChannel(deps, interaction, change, "warnings");
		return change;
	},
	show: (interaction, { settings, denial }, deps) => quotaPanel(interaction, settings, deps, denial),
});

/** Returns the stored value of a limit. */
function limitValueOf(settings: GuildSettings, field: LimitField): unknown {
	const { allowance, unusedCredits, serverLimit, timeZone, warnChannelId } = settings;
	switch (field) {
		case "unused":
			return unusedCredits;
		case "serverLimit":
			return serverLimit;
		case "memberLimit":
			return [allowance.everyone, allowance.per];
		case "mediaLimits":
			return allowance.media;
		case "timeZone":
			return timeZone;
		case "warnings":
			return warnChannelId;
	}
}

function toggleUnused(before: GuildSettings): GuildSettings {
	return changeServerQuota(before, { unused: before.unusedCredits === "expire" ? "carryOver" : "expire" });
}

function creditsInput(name: string, stored: number | null | undefined) {
	return textInput(name, creditsText(stored ?? null), NUMBER_CHARS_MAX);
}

/** Builds the fields of the form of a limit. Throws for `unused`, which has none: its button toggles it. */
function limitFields(field: LimitField, settings: GuildSettings, locale: string): readonly APILabelComponent[] {
	const { allowance, serverLimit, timeZone, warnChannelId } = settings;
	const label = labelFor(locale);
	const periodField = (chosen: Period) => {
		const choices = PERIODS.map((value) => ({ value, label: t(locale, { key: `choice.${value}` }) }));
		return label({ key: "field.period" }, choiceOfOne("per", choices, chosen));
	};
	switch (field) {
		case "serverLimit":
			return [
				label({ key: "field.serverLimit" }, creditsInput("credits", serverLimit?.credits), { key: "form.limitHint" }),
				periodField(serverLimit?.per ?? "month"),
			];
		case "memberLimit":
			return [
				label({ key: "field.memberLimit" }, creditsInput("credits", allowance.everyone), { key: "form.limitHint" }),
				periodField(allowance.per),
			];
		case "mediaLimits":
			return MEDIA_TYPES.map((mediaType) =>
				label(
					{ key: "field.mediaTypeLimit", params: { mediaType } },
					creditsInput(mediaType, allowance.media[mediaType]),
					{ key: "form.limitHint" },
				),
			);
		case "timeZone": {
			const input = textInput("zone", timeZone, TIME_ZONE_CHARS_MAX);
			return [label({ key: "field.timeZone" }, input, { key: "form.timeZoneHint" })];
		}
		case "warnings":
			return [
				label({ key: "field.warnChannel" }, channelMenu("channel", idListOf(warnChannelId), POST_CHANNEL_TYPES, 1)),
			];
		case "unused":
			throw new Error(`${field} has no form`);
	}
}

/** Reads the change from a submitted form. Denies invalid values. */
function readLimitForm(field: LimitField, fields: ModalSubmitFields): SettingsUpdate {
	const typed = typedTexts(fields);
	const [chosen] = chosenValues(fields, "per");
	const per = PERIODS.find((each) => each === chosen);
	switch (field) {
		case "serverLimit": {
			const credits = parseCredits({ key: "field.serverLimit" }, typed["credits"] ?? "");
			const limit = credits === null ? ({ limit: "unlimited" } as const) : { limit: credits, per };
			return (before) => changeServerQuota(before, limit);
		}
		case "memberLimit": {
			const credits = parseCredits({ key: "field.memberLimit" }, typed["credits"] ?? "");
			return (before) => changeDefaultLimit(before, credits ?? "unlimited", per);
		}
		case "mediaLimits": {
			const limits = MEDIA_TYPES.map((mediaType) => {
				const name = { key: "field.mediaTypeLimit", params: { mediaType } } as const;
				return { mediaType, credits: parseCredits(name, typed[mediaType] ?? "") };
			});
			return (before) =>
				limits.reduce(
					(after, { mediaType, credits }) => changeMediaTypeLimit(after, mediaType, credits ?? "clear"),
					before,
				);
		}
		case "timeZone": {
			const timeZone = requireTimeZone(typed["zone"] ?? "");
			return (before) => changeServerQuota(before, { timeZone });
		}
		case "warnings": {
			const [warnChannelId = null] = chosenValues(fields, "channel");
			return (before) => changeServerQuota(before, { warnChannelId });
		}
		case "unused":
			throw new Error(`${field} has no form`);
	}
}
