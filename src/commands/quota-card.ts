/** The panel of `/quota`: the limits, their forms and their use. */
import { AttachmentBuilder } from "discord.js";
import { MEDIA_TYPES, type MediaType } from "@atelier/media-protocol/model";
import { cardReply, file, text } from "../discord/card.ts";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import { quote } from "../i18n/quote.ts";
import { parseTimeZone } from "@atelier/dashboard/parse-typed";
import { knownTimeZones } from "../services/credits/time-zones.ts";
import { changeMediaTypeLimit } from "../services/settings/change-limits.ts";
import { formatLimits, LIMIT_FIELDS, readLimitUse, type LimitField } from "../services/credits/format-limits.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import { setValues } from "../services/settings/setting-table.ts";
import { UserError } from "../services/user-error.ts";
import {
	checksumField,
	definePanel,
	noticeParts,
	editorParts,
	type ChangeOutcome,
	type SettingEditor,
} from "./settings/setting-editor.ts";
import { dashboardLink } from "./framework/dashboard-link.ts";
import { MANAGERS_OR_ALLOWED } from "./framework/invoking-member.ts";
import { formEditor, editorOfPath, formFieldOfPath } from "./settings/form-editor.ts";
import { creditsField, textField } from "./settings/value-fields.ts";
import type { CommandServices } from "./command-services.ts";

const limitCustomId = defineCustomId("limit", { field: idField.oneOf(...LIMIT_FIELDS), valueChecksum: checksumField });
const FILE_NAME = "limits.txt";
export const TIME_ZONE_CHARS_MAX = 60;

const LIMIT_HINT = { key: "form.limitHint" } as const;

/** The editors of the limits: how each is read, changed and asked for in a form. */
export const LIMIT_EDITORS: Readonly<Record<LimitField, SettingEditor>> = {
	serverLimit: formEditor({
		name: { key: "field.serverLimit" },
		fields: () => ({
			credits: creditsField({ key: "field.serverLimit" }, LIMIT_HINT),
			per: formFieldOfPath("allowance.per"),
		}),
		formValuesOf: ({ serverLimit }) => ({ credits: serverLimit?.credits, per: serverLimit?.per ?? "month" }),
		apply: (before, { credits, per }) => setValues(before, { serverLimit: credits === null ? null : { credits, per } }),
	}),
	unused: {
		name: { key: "field.unusedCredits" },
		buttonLabel: ({ unusedCredits }) => ({ key: unusedCredits === "expire" ? "button.carryOver" : "button.expire" }),
		readValue: ({ unusedCredits }) => unusedCredits,
		toggle: () => (before) =>
			setValues(before, { unusedCredits: before.unusedCredits === "expire" ? "carryOver" : "expire" }),
	},
	memberLimit: formEditor({
		name: { key: "field.memberLimit" },
		fields: () => ({ credits: formFieldOfPath("allowance.everyone"), per: formFieldOfPath("allowance.per") }),
		formValuesOf: ({ allowance }) => ({ credits: allowance.everyone, per: allowance.per }),
		apply: (before, { credits, per }) => setValues(before, { "allowance.everyone": credits, "allowance.per": per }),
	}),
	mediaLimits: formEditor({
		name: { key: "field.mediaLimits" },
		fields: () => ({
			image: mediaLimitField("image"),
			video: mediaLimitField("video"),
			music: mediaLimitField("music"),
		}),
		formValuesOf: ({ allowance: { media } }) => ({ image: media.image, video: media.video, music: media.music }),
		apply: (before, limits) =>
			MEDIA_TYPES.reduce(
				(after, mediaType) => changeMediaTypeLimit(after, mediaType, limits[mediaType] ?? "clear"),
				before,
			),
	}),
	timeZone: formEditor({
		name: { key: "field.timeZone" },
		fields: () => ({ zone: textField({ key: "field.timeZone" }, TIME_ZONE_CHARS_MAX, { key: "form.timeZoneHint" }) }),
		formValuesOf: ({ timeZone }) => ({ zone: timeZone }),
		apply: (before, { zone }) => setValues(before, { timeZone: requireTimeZone(zone) }),
	}),
	warnings: editorOfPath("warnChannelId"),
};

function mediaLimitField(mediaType: MediaType) {
	return creditsField({ key: "field.mediaTypeLimit", params: { mediaType } }, LIMIT_HINT);
}

/** Renders the limits of a server with their current use. */
export async function quotaCard(
	reader: { readonly guildId: string; readonly locale: string },
	settings: GuildSettings,
	services: CommandServices,
	{ denial, notice }: ChangeOutcome<LimitField> = {},
) {
	const { guildId, locale } = reader;
	const use = await readLimitUse(services.accounts, guildId, settings, services.clock.nowMs());
	const { balance, fields, exceptions, file: fileText } = formatLimits(settings, use, locale);
	const parts = [
		...noticeParts(notice, locale, services.commandMentions),
		text(balance),
		...LIMIT_FIELDS.flatMap((field) => {
			const content = fields[field];
			if (content === undefined) return [];
			const shown = { field, editor: LIMIT_EDITORS[field], settings, content, denial };
			return editorParts(shown, limitCustomId, locale, services.commandMentions);
		}),
		...exceptions.map(text),
		...(fileText === undefined ? [] : [file(FILE_NAME)]),
		...dashboardLink("limits", reader, services),
	];
	const files = fileText === undefined ? [] : [new AttachmentBuilder(Buffer.from(fileText), { name: FILE_NAME })];
	return { ...cardReply(parts), files };
}

export const { components: quotaPanelComponents } = definePanel<LimitField>({
	customIdCodec: limitCustomId,
	authorizePress: MANAGERS_OR_ALLOWED.authorizePressOf("quota"),
	editorOf: (field) => LIMIT_EDITORS[field],
	show: (interaction, { settings, ...outcome }, services) => quotaCard(interaction, settings, services, outcome),
});

/** Returns the name of the typed time zone. Throws a `UserError` if it is unknown. */
export function requireTimeZone(typed: string): string {
	const timeZone = parseTimeZone(typed, knownTimeZones());
	if (timeZone !== undefined) return timeZone;
	throw new UserError({ key: "quota.timeZoneUnknown", params: { typed: quote(typed, TIME_ZONE_CHARS_MAX) } });
}
