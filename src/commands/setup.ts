/** A guided first setup for managers: settings of `/settings` and `/quota`, one step at a time, saved at once. */
import { ButtonStyle } from "discord.js";
import { button, cardReply, row, separator, text } from "../discord/card.ts";
import type { CommandMentions } from "../discord/command-mentions.ts";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import type { MessageDescriptor } from "../i18n/message-descriptor.ts";
import { t } from "../i18n/messages.ts";
import { limitLines, memberLimitLine, serverLimitLine } from "../services/credits/format-limits.ts";
import { formatField, type SettingField } from "../services/settings/format-settings.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import { definePrivateCommand } from "./framework/command.ts";
import { defineButton } from "./framework/component.ts";
import { dashboardLink } from "./framework/dashboard-link.ts";
import { MANAGERS, requireManager } from "./framework/invoking-member.ts";
import {
	checksumField,
	definePanel,
	noticeParts,
	editorParts,
	type ChangeOutcome,
	type SettingEditor,
} from "./settings/setting-editor.ts";
import { LIMIT_EDITORS } from "./quota-card.ts";
import { editorOfField } from "./settings/setting-editors.ts";

/** The steps, in order. */
export const SETUP_STEPS = ["channels", "roles", "limits", "moderators"] as const;
type SetupStep = (typeof SETUP_STEPS)[number];

const STEP_FIELDS = {
	channels: ["channels"],
	roles: ["roles"],
	limits: ["memberLimit", "serverLimit", "confirmAbove"],
	moderators: ["logChannelId", "reportChannelId"],
} as const satisfies Record<SetupStep, readonly (SettingField | keyof typeof LIMIT_LINES)[]>;
type SetupField = (typeof STEP_FIELDS)[SetupStep][number];
const SETUP_FIELDS: readonly SetupField[] = Object.values(STEP_FIELDS).flat();

/** The limits of `/quota` that a step shows. */
const LIMIT_LINES = { memberLimit: memberLimitLine, serverLimit: serverLimitLine } as const;

export const setupStepCustomId = defineCustomId("setup", { step: idField.oneOf(...SETUP_STEPS) });
const setupDoneCustomId = defineCustomId("setup-done", {});
const setupFieldCustomId = defineCustomId("setup-field", {
	field: idField.oneOf(...SETUP_FIELDS),
	valueChecksum: checksumField,
});

export const setup = definePrivateCommand("setup", {
	audience: MANAGERS,
	async execute(interaction, { settings, commandMentions }) {
		const { guildId, locale } = interaction;
		await interaction.editReply(setupCard(SETUP_STEPS[0], await settings.read(guildId), locale, commandMentions));
	},
});

export const showSetupStep = defineButton(setupStepCustomId, async (interaction, { step }, services) => {
	requireManager(interaction);
	await interaction.deferUpdate();
	const { guildId, locale } = interaction;
	const settings = await services.settings.read(guildId);
	await interaction.editReply(setupCard(step, settings, locale, services.commandMentions));
});

export const finishSetup = defineButton(setupDoneCustomId, async (interaction, _values, services) => {
	requireManager(interaction);
	await interaction.deferUpdate();
	const lines = [{ key: "setup.done" }, { key: "setup.further" }] as const;
	const done = text(services.commandMentions.sayLines(interaction.locale, lines));
	await interaction.editReply(cardReply([done, ...dashboardLink("overview", interaction, services)], "success"));
});

export const { components: setupPanelComponents } = definePanel<SetupField>({
	customIdCodec: setupFieldCustomId,
	authorizePress: requireManager,
	editorOf,
	async show({ locale }, { settings, field, ...outcome }, { commandMentions }) {
		const step = SETUP_STEPS.find((each) => STEP_FIELDS[each].some((shown) => shown === field)) ?? "channels";
		return setupCard(step, settings, locale, commandMentions, outcome);
	},
});

function editorOf(field: SetupField): SettingEditor {
	return isLimit(field) ? LIMIT_EDITORS[field] : editorOfField(field);
}

function isLimit(field: SetupField): field is keyof typeof LIMIT_LINES {
	return Object.hasOwn(LIMIT_LINES, field);
}

/** Renders a step: its explanation, the settings with "Change", and the buttons that lead to other steps. */
export function setupCard(
	step: SetupStep,
	settings: GuildSettings,
	locale: string,
	commandMentions: CommandMentions,
	{ denial, notice }: ChangeOutcome<SetupField> = {},
) {
	const stepIndex = SETUP_STEPS.indexOf(step);
	const params = { step: stepIndex + 1, steps: SETUP_STEPS.length };
	return cardReply([
		...noticeParts(notice, locale, commandMentions),
		text(commandMentions.say(locale, { key: `setup.${step}`, params })),
		...STEP_FIELDS[step].flatMap((field) => {
			const content = isLimit(field) ? t(locale, LIMIT_LINES[field](settings)) : formatField(settings, field, locale);
			const shown = { field, editor: editorOf(field), settings, content, denial };
			return editorParts<SetupField>(shown, setupFieldCustomId, locale, commandMentions);
		}),
		...(step === SETUP_STEPS.at(-1)
			? [separator(), text(commandMentions.sayLines(locale, summaryOf(settings, denial !== undefined)))]
			: []),
		navigationRow(stepIndex, locale),
	]);
}

/** The limits, also those that no step sets, and the commands for more settings. */
function summaryOf(settings: GuildSettings, isDenied: boolean): readonly MessageDescriptor[] {
	const saved = isDenied ? [] : [{ key: "setup.saved" } as const];
	return [...limitLines(settings), ...saved, { key: "setup.further" }];
}

function navigationRow(stepIndex: number, locale: string) {
	const buttonTo = (
		step: SetupStep | undefined,
		key: "button.setupBack" | "button.setupNext" | "button.setupRestart",
		style?: ButtonStyle.Success,
	) => (step === undefined ? [] : [button(setupStepCustomId.encode({ step }), t(locale, { key }), { style })]);
	const next = SETUP_STEPS[stepIndex + 1];
	return row(
		...buttonTo(SETUP_STEPS[stepIndex - 1], "button.setupBack"),
		...buttonTo(next, "button.setupNext", ButtonStyle.Success),
		...(next === undefined
			? [
					...buttonTo(SETUP_STEPS[0], "button.setupRestart"),
					button(setupDoneCustomId.encode({}), t(locale, { key: "button.setupDone" }), { style: ButtonStyle.Success }),
				]
			: []),
	);
}
