/** The panel of `/quota`: the limits, their forms and their use. */
import { AttachmentBuilder, type APILabelComponent, type ModalSubmitFields } from "discord.js";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { cardReply, file, text } from "../discord/card.ts";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import { t } from "../i18n/messages.ts";
import type { GuildAccounts } from "../services/credits/guild-accounts.ts";
import { PERIODS, type Period } from "../services/credits/period.ts";
import { changeDefaultLimit, changeMediaTypeLimit, changeServerLimit } from "../services/credits/quota-changes.ts";
import { formatLimits, LIMIT_FIELDS, type LimitField } from "../services/settings/format-limits.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import {
	choiceOfOne,
	chosenChannelId,
	chosenValues,
	labelFor,
	postChannelMenu,
	textInput,
	typedTexts,
} from "./framework/form-fields.ts";
import { numberInput, parseCredits } from "./framework/number-field.ts";
import {
	checksumField,
	definePanel,
	settingParts,
	type DeniedChange,
	type PanelDeps,
	type PanelSetting,
} from "./framework/panel.ts";
import { requireTimeZone, TIME_ZONE_CHARS_MAX } from "./quota-options.ts";

const limitCustomId = defineCustomId("limit", { field: idField.oneOf(...LIMIT_FIELDS), shown: checksumField });
const FILE_NAME = "limits.txt";

interface QuotaPanelDeps extends PanelDeps {
	readonly accounts: Pick<GuildAccounts, "readBalance">;
}

/** The limits of the panel: how each is read, changed and asked for in a form. */
export const LIMITS: Readonly<Record<LimitField, PanelSetting<unknown>>> = {
	serverLimit: {
		valueOf: ({ serverLimit }) => serverLimit,
		form: {
			fields({ serverLimit }, locale) {
				const input = numberInput("credits", serverLimit?.credits);
				return [
					labelFor(locale)({ key: "field.serverLimit" }, input, { key: "form.limitHint" }),
					periodField(serverLimit?.per ?? "month", locale),
				];
			},
			apply(before, { fields }) {
				const credits = parseCredits({ key: "field.serverLimit" }, typedTexts(fields)["credits"] ?? "");
				if (credits === null) return changeServerLimit(before, { limit: "unlimited" });
				return changeServerLimit(before, { limit: credits, per: chosenPeriod(fields) });
			},
		},
	},
	unused: {
		valueOf: ({ unusedCredits }) => unusedCredits,
		toggle: () => (before) =>
			changeServerLimit(before, { unused: before.unusedCredits === "expire" ? "carryOver" : "expire" }),
	},
	memberLimit: {
		valueOf: ({ allowance }) => [allowance.everyone, allowance.per],
		form: {
			fields({ allowance }, locale) {
				const input = numberInput("credits", allowance.everyone);
				return [
					labelFor(locale)({ key: "field.memberLimit" }, input, { key: "form.limitHint" }),
					periodField(allowance.per, locale),
				];
			},
			apply(before, { fields }) {
				const credits = parseCredits({ key: "field.memberLimit" }, typedTexts(fields)["credits"] ?? "");
				return changeDefaultLimit(before, credits ?? "unlimited", chosenPeriod(fields));
			},
		},
	},
	mediaLimits: {
		valueOf: ({ allowance }) => allowance.media,
		form: {
			fields: ({ allowance }, locale) =>
				MEDIA_TYPES.map((mediaType) =>
					labelFor(locale)(
						{ key: "field.mediaTypeLimit", params: { mediaType } },
						numberInput(mediaType, allowance.media[mediaType]),
						{ key: "form.limitHint" },
					),
				),
			apply(before, { fields }) {
				const typed = typedTexts(fields);
				return MEDIA_TYPES.reduce((after, mediaType) => {
					const name = { key: "field.mediaTypeLimit", params: { mediaType } } as const;
					return changeMediaTypeLimit(after, mediaType, parseCredits(name, typed[mediaType] ?? "") ?? "clear");
				}, before);
			},
		},
	},
	timeZone: {
		valueOf: ({ timeZone }) => timeZone,
		form: {
			fields({ timeZone }, locale) {
				const input = textInput("zone", timeZone, TIME_ZONE_CHARS_MAX);
				return [labelFor(locale)({ key: "field.timeZone" }, input, { key: "form.timeZoneHint" })];
			},
			apply: (before, { fields }) =>
				changeServerLimit(before, { timeZone: requireTimeZone(typedTexts(fields)["zone"] ?? "") }),
		},
	},
	warnings: {
		valueOf: ({ warnChannelId }) => warnChannelId,
		form: {
			fields: ({ warnChannelId }, locale) => [
				labelFor(locale)({ key: "field.warnChannel" }, postChannelMenu(warnChannelId)),
			],
			apply: (before, { fields }) => changeServerLimit(before, { warnChannelId: chosenChannelId(fields) }),
		},
	},
};

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
			const setting = { field, value: LIMITS[field].valueOf(settings) };
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
	settingOf: (field) => LIMITS[field],
	show: (interaction, { settings, denial }, deps) => quotaPanel(interaction, settings, deps, denial),
});

function periodField(chosen: Period, locale: string): APILabelComponent {
	const choices = PERIODS.map((value) => ({ value, label: t(locale, { key: `choice.${value}` }) }));
	return labelFor(locale)({ key: "field.period" }, choiceOfOne("per", choices, chosen));
}

function chosenPeriod(fields: ModalSubmitFields): Period | undefined {
	const [chosen] = chosenValues(fields, "per");
	return PERIODS.find((each) => each === chosen);
}
