/** The form of `/setup` for the limits: that of each member, that of the server, and the cost above which members confirm. */
import type { ModalSubmitFields } from "discord.js";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import { changeDefaultLimit, changeServerLimit } from "../services/credits/quota-changes.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import { changeGeneral } from "../services/settings/settings-updates.ts";
import { labelFor, typedTexts } from "./framework/form-fields.ts";
import { numberInput, parseCredits } from "./framework/number-field.ts";
import { changeCustomId, checksumField, type PanelSetting } from "./framework/panel.ts";

/** Identifies the button and the form that it opens. */
export const setupLimitsCustomId = defineCustomId("setup-limits", {
	field: idField.oneOf("limits"),
	shown: checksumField,
});

export const LIMITS: PanelSetting<unknown> = {
	valueOf: ({ allowance, serverLimit, confirmAbove }) => [allowance.everyone, serverLimit, confirmAbove],
	form: {
		fields({ allowance, serverLimit, confirmAbove }, locale) {
			const label = labelFor(locale);
			const limitHint = { key: "form.limitHint" } as const;
			return [
				label({ key: "field.memberLimit" }, numberInput("everyone", allowance.everyone), limitHint),
				label({ key: "field.serverLimit" }, numberInput("server", serverLimit?.credits), limitHint),
				label({ key: "field.confirmAbove" }, numberInput("confirmAbove", confirmAbove), {
					key: "form.confirmAboveHint",
				}),
			];
		},
		apply: (before, { fields }) => applyLimits(before, fields),
	},
};

/** The custom id of the button that opens the form. */
export function openLimitsCustomId(settings: GuildSettings): string {
	return changeCustomId(setupLimitsCustomId, "limits", LIMITS.valueOf(settings));
}

/** An empty field means no limit. A denial names the invalid field. */
function applyLimits(before: GuildSettings, fields: ModalSubmitFields): GuildSettings {
	const { everyone = "", server = "", confirmAbove = "" } = typedTexts(fields);
	const memberLimit = parseCredits({ key: "field.memberLimit" }, everyone) ?? "unlimited";
	const serverLimit = parseCredits({ key: "field.serverLimit" }, server) ?? "unlimited";
	const limited = changeServerLimit(changeDefaultLimit(before, memberLimit, undefined), { limit: serverLimit });
	return changeGeneral(limited, { confirmAbove: parseCredits({ key: "field.confirmAbove" }, confirmAbove) });
}
