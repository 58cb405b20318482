/** Renders the steps of `/setup`: explanation, current settings and controls. Pure functions. */
import {
	ActionRowBuilder,
	ButtonBuilder,
	ButtonStyle,
	ChannelSelectMenuBuilder,
	RoleSelectMenuBuilder,
	type APIModalInteractionResponseCallbackData,
	type MessageActionRowComponentBuilder,
} from "discord.js";
import { cardReply, text } from "../discord/card.ts";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import { formatSettings } from "../services/settings/format-settings.ts";
import { blockedCount } from "../services/moderation/policy.ts";
import { mediaLines } from "../services/settings/format-limits.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import {
	BUDGET_FIELDS,
	BUDGET_LABELS,
	budgetOf,
	NUMBER_CHARS_MAX,
	SETUP_STEPS,
	type Budget,
	type SetupStep,
} from "../services/settings/setup-steps.ts";
import type { MessageKey, MessageDescriptor } from "../i18n/message-descriptor.ts";
import { t } from "../i18n/messages.ts";
import { idListOf, labelFor, textInput } from "./form-fields.ts";
import { COMMAND_CHANNEL_TYPES, POST_CHANNEL_TYPES } from "./channel-types.ts";
import { CHOICES_MAX } from "../discord/choice-limits.ts";

export const setupStepCustomId = defineCustomId("setup", { step: idField.oneOf(...SETUP_STEPS) });
export const setupPickCustomId = defineCustomId("setup-pick", {
	target: idField.oneOf("channels", "roles", "log", "reports"),
});
export const setupBudgetCustomId = defineCustomId("setup-budget", {});

const STEP_TEXT_KEYS = {
	channels: "setup.channels",
	roles: "setup.roles",
	budget: "setup.limits",
	moderators: "setup.moderators",
	summary: "setup.summary",
} as const satisfies Record<SetupStep, MessageKey>;

type Row = ActionRowBuilder<MessageActionRowComponentBuilder>;

/** Renders a step. `notices`: the result of the last choice. */
export function setupView(
	step: SetupStep,
	settings: GuildSettings,
	{
		locale,
		nowMs,
		notices = [],
	}: { readonly locale: string; readonly nowMs: number; readonly notices?: readonly MessageDescriptor[] },
) {
	const stepIndex = SETUP_STEPS.indexOf(step);
	const params = { step: stepIndex + 1, steps: SETUP_STEPS.length };
	const blockedMembers = blockedCount(settings, nowMs);
	const summary = step === "summary" ? [formatSettings(settings, blockedMembers, locale, limitsOf(settings))] : [];
	const details = [...notices, ...(step === "budget" ? budgetLines(settings) : [])].map((message) =>
		t(locale, message),
	);
	const hiddenChoices = hiddenCount(step, settings);
	const hiddenChoicesLine =
		hiddenChoices > 0 ? [t(locale, { key: "setup.more", params: { more: hiddenChoices } })] : [];
	const explanation = [t(locale, { key: STEP_TEXT_KEYS[step], params }), ...hiddenChoicesLine].join("\n");
	const state = [...details, ...summary].join("\n");
	const rows = [...controlRows(step, settings, locale), navigationRow(stepIndex, locale)];
	return cardReply([text(explanation), ...(state === "" ? [] : [text(state)]), ...rows.map((each) => each.toJSON())]);
}

function limitsOf(settings: GuildSettings): readonly MessageDescriptor[] {
	const { allowance, serverLimit } = settings;
	return [
		{ key: "quota.everyone", params: { limitCredits: allowance.everyone, per: allowance.per } },
		serverLimit
			? { key: "quota.server", params: { limitCredits: serverLimit.credits, per: serverLimit.per } }
			: { key: "quota.serverUnlimited" },
		...mediaLines(settings),
	];
}

function budgetLines(settings: GuildSettings): readonly MessageDescriptor[] {
	return [...limitsOf(settings), { key: "settings.confirm", params: { confirmAbove: settings.confirmAbove } }];
}

function hiddenCount(step: SetupStep, { access }: GuildSettings): number {
	if (step !== "channels" && step !== "roles") return 0;
	return Math.max(0, access[step].allowed.length - CHOICES_MAX);
}

/** Builds the menus and buttons of a step. */
function controlRows(step: SetupStep, settings: GuildSettings, locale: string): readonly Row[] {
	const { access, logChannelId, reportChannelId } = settings;
	switch (step) {
		case "channels":
			return [
				row(
					channelMenu("channels", access.channels.allowed, locale)
						.setChannelTypes(...COMMAND_CHANNEL_TYPES)
						.setMaxValues(CHOICES_MAX),
				),
			];
		case "roles": {
			const roles = new RoleSelectMenuBuilder()
				.setCustomId(setupPickCustomId.encode({ target: "roles" }))
				.setPlaceholder(t(locale, { key: "form.setupRolesPlaceholder" }))
				.setMinValues(0)
				.setMaxValues(CHOICES_MAX)
				.setDefaultRoles(access.roles.allowed.slice(0, CHOICES_MAX));
			return [row(roles)];
		}
		case "budget": {
			const openButton = new ButtonBuilder()
				.setCustomId(setupBudgetCustomId.encode({}))
				.setLabel(t(locale, { key: "button.setupLimits" }))
				.setStyle(ButtonStyle.Primary);
			return [row(openButton)];
		}
		case "moderators": {
			const menus = [
				channelMenu("log", idListOf(logChannelId), locale),
				channelMenu("reports", idListOf(reportChannelId), locale),
			];
			return menus.map((menu) => row(menu.setChannelTypes(...POST_CHANNEL_TYPES).setMaxValues(1)));
		}
		case "summary":
			return [];
	}
}

const CHANNEL_PLACEHOLDER_KEYS = {
	channels: "form.setupChannelsPlaceholder",
	log: "form.setupLogPlaceholder",
	reports: "form.setupReportsPlaceholder",
} as const;

function channelMenu(target: keyof typeof CHANNEL_PLACEHOLDER_KEYS, ids: readonly string[], locale: string) {
	return new ChannelSelectMenuBuilder()
		.setCustomId(setupPickCustomId.encode({ target }))
		.setPlaceholder(t(locale, { key: CHANNEL_PLACEHOLDER_KEYS[target] }))
		.setMinValues(0)
		.setDefaultChannels(ids.slice(0, CHOICES_MAX));
}

function navigationRow(stepIndex: number, locale: string): Row {
	const button = (
		to: SetupStep | undefined,
		key: "button.setupBack" | "button.setupNext" | "button.setupRestart",
		style: ButtonStyle,
	) =>
		to === undefined
			? []
			: [
					new ButtonBuilder()
						.setCustomId(setupStepCustomId.encode({ step: to }))
						.setLabel(t(locale, { key }))
						.setStyle(style),
				];
	const next = SETUP_STEPS[stepIndex + 1];
	return row(
		...button(SETUP_STEPS[stepIndex - 1], "button.setupBack", ButtonStyle.Secondary),
		...button(next, "button.setupNext", ButtonStyle.Success),
		...(next === undefined ? button(SETUP_STEPS[0], "button.setupRestart", ButtonStyle.Secondary) : []),
	);
}

function row(...components: MessageActionRowComponentBuilder[]): Row {
	return new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(components);
}

function budgetHint(field: keyof Budget, { allowance }: GuildSettings): MessageDescriptor {
	switch (field) {
		case "everyone":
			return { key: "form.setupMemberLimitHint", params: { per: allowance.per } };
		case "server":
			return { key: "form.setupServerLimitHint" };
		case "confirmAbove":
			return { key: "form.setupConfirmAboveHint" };
	}
}

/** Builds the budget modal with the rejected input, else with the stored settings. */
export function budgetForm(
	settings: GuildSettings,
	rejected: Budget | undefined,
	locale: string,
): APIModalInteractionResponseCallbackData {
	const values = rejected ?? budgetOf(settings);
	const label = labelFor(locale);
	return {
		custom_id: setupBudgetCustomId.encode({}),
		title: t(locale, { key: "button.setupLimits" }),
		components: BUDGET_FIELDS.map((field) =>
			label(
				{ key: BUDGET_LABELS[field] },
				textInput(field, values[field], NUMBER_CHARS_MAX),
				budgetHint(field, settings),
			),
		),
	};
}
