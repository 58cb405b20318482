/** The panel of `/quota`, its forms, and the changes that submitted forms describe. */
import { AttachmentBuilder, type APIModalInteractionResponseCallbackData, type ModalSubmitFields } from "discord.js";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { cardReply, file, text } from "../discord/card.ts";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import { t } from "../i18n/messages.ts";
import type { GuildAccounts } from "../services/credits/guild-accounts.ts";
import { PERIODS, type Period } from "../services/credits/period.ts";
import { changeDefaultLimit, changeMediaTypeLimit, changeServerQuota } from "../services/credits/quota-changes.ts";
import { formatLimits, LIMIT_FIELDS, type LimitField } from "../services/settings/format-limits.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import { NUMBER_CHARS_MAX, creditsText, parseCredits } from "../services/settings/setup-steps.ts";
import { POST_CHANNEL_TYPES } from "./channel-types.ts";
import {
	channelMenu,
	choiceOfOne,
	chosenValues,
	labelFor,
	idListOf,
	textInput,
	typedTexts,
	type TypedTexts,
} from "./form-fields.ts";
import { definePanel, settingParts, type DeniedChange, type PanelDeps } from "./panel.ts";
import { requireTimeZone, TIME_ZONE_CHARS_MAX } from "./quota-options.ts";
import type { SettingChange } from "../services/settings/settings-changes.ts";

export const limitCustomId = defineCustomId("limit", { field: idField.oneOf(...LIMIT_FIELDS) });
const FILE_NAME = "limits.txt";

interface QuotaPanelDeps extends PanelDeps {
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
			return content === undefined ? [] : settingParts(content, field, limitCustomId, denial, locale);
		}),
		...exceptions.map(text),
		...(fileText === undefined ? [] : [file(FILE_NAME)]),
	];
	const files = fileText === undefined ? [] : [new AttachmentBuilder(Buffer.from(fileText), { name: FILE_NAME })];
	return { ...cardReply(parts), files };
}

export const quotaPanelComponents = definePanel<LimitField, QuotaPanelDeps>({
	customIdCodec: limitCustomId,
	toggle: (settings, field) => (field === "unused" ? toggleUnused(settings) : undefined),
	form: (field, content, _deps, locale) => limitForm(field, content, locale),
	read: async ({ fields }, field) => readLimitForm(field, fields),
	show: (interaction, { settings, denial }, deps) => quotaPanel(interaction, settings, deps, denial),
});

function toggleUnused({ unusedCredits }: GuildSettings): SettingChange {
	const unused = unusedCredits === "expire" ? "carryOver" : "expire";
	return (before) => changeServerQuota(before, { unused });
}

/** Builds the form of a limit. Throws for `unused`, which has none: its button toggles it. */
function limitForm(
	field: LimitField,
	{ settings, rejected }: { readonly settings: GuildSettings; readonly rejected: TypedTexts },
	locale: string,
): APIModalInteractionResponseCallbackData {
	const { allowance, serverLimit, timeZone, warnChannelId } = settings;
	const label = labelFor(locale);
	const creditsInput = (name: string, stored: number | null | undefined) =>
		textInput(name, rejected[name] ?? creditsText(stored ?? null), NUMBER_CHARS_MAX);
	const periodField = (chosen: Period) => {
		const choices = PERIODS.map((value) => ({ value, label: t(locale, { key: `choice.${value}` }) }));
		return label({ key: "field.period" }, choiceOfOne("per", choices, chosen));
	};
	const labelsOf = () => {
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
				const { zone = timeZone } = rejected;
				return [
					label({ key: "field.timeZone" }, textInput("zone", zone, TIME_ZONE_CHARS_MAX), { key: "form.timeZoneHint" }),
				];
			}
			case "warnings":
				return [
					label({ key: "field.warnChannel" }, channelMenu("channel", idListOf(warnChannelId), POST_CHANNEL_TYPES, 1)),
				];
			case "unused":
				throw new Error(`${field} has no form`);
		}
	};
	return {
		custom_id: limitCustomId.encode({ field }),
		title: t(locale, { key: "form.settingTitle" }),
		components: labelsOf(),
	};
}

/** Reads the change from a submitted form. Denies invalid values. */
function readLimitForm(field: LimitField, fields: ModalSubmitFields): SettingChange {
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
