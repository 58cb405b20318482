/** Each step of `/setup` as a message: what it is about, what is set now, and what to choose it with. Pure. */
import {
	ActionRowBuilder,
	ButtonBuilder,
	ButtonStyle,
	ChannelSelectMenuBuilder,
	LabelBuilder,
	ModalBuilder,
	RoleSelectMenuBuilder,
	TextInputBuilder,
	TextInputStyle,
	type MessageActionRowComponentBuilder,
} from "discord.js";
import { customIds, part } from "../discord/custom-id.ts";
import { formatAccess } from "../services/settings/format-access.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import { BUDGET_FIELDS, budgetOf, SETUP_STEPS, type Budget, type SetupStep } from "../services/settings/setup-steps.ts";
import { say, type MessageRef } from "../i18n/messages.ts";
import { RULE_CHANNEL_TYPES, LOG_CHANNEL_TYPES } from "./settings-options.ts";

/** Of one menu, by Discord; what is allowed beyond them is not shown in it, and not decided by it. */
export const CHOSEN_MAX = 25;
const CREDITS_CHARS_MAX = 15;

export const setupStepIds = customIds("setup", { step: part.oneOf(...SETUP_STEPS) });
export const setupPickIds = customIds("setup-pick", { what: part.oneOf("channels", "roles", "log", "reports") });
export const setupBudgetIds = customIds("setup-budget", {});

type Row = ActionRowBuilder<MessageActionRowComponentBuilder>;

/** `notices`: what became of the last choice. */
export function setupView(
	step: SetupStep,
	settings: GuildSettings,
	locale: string,
	notices: readonly MessageRef[] = [],
) {
	const at = SETUP_STEPS.indexOf(step);
	const params = { at: at + 1, of: SETUP_STEPS.length, step };
	const blocked = Object.keys(settings.blocks).length;
	const summary = step === "summary" ? [formatAccess(settings, blocked, locale, limitsOf(settings))] : [];
	const told = [...notices, ...(step === "budget" ? budgetLines(settings) : [])].map((saying) => say(locale, saying));
	const more = beyondOf(step, settings);
	const rest = more > 0 ? [say(locale, { key: "setupBeyond", params: { more } })] : [];
	const content = [say(locale, { key: "setupStep", params }), ...rest, ...told, ...summary].join("\n");
	return { content, components: [...choicesOf(step, settings, locale), waysOn(at, locale)] };
}

function limitsOf({ allowance, serverLimit }: GuildSettings): readonly MessageRef[] {
	return [
		{ key: "settingsEveryone", params: { limitCredits: allowance.everyone, per: allowance.per } },
		serverLimit
			? { key: "settingsServerLimit", params: { limitCredits: serverLimit.credits, per: serverLimit.per } }
			: { key: "settingsServerUnlimited" },
	];
}

function budgetLines(settings: GuildSettings): readonly MessageRef[] {
	return [...limitsOf(settings), { key: "showConfirm", params: { confirmAbove: settings.confirmAbove } }];
}

function beyondOf(step: SetupStep, { access }: GuildSettings): number {
	if (step !== "channels" && step !== "roles") return 0;
	return Math.max(0, access[step].allowed.length - CHOSEN_MAX);
}

function choicesOf(step: SetupStep, settings: GuildSettings, locale: string): readonly Row[] {
	const { access, logChannelId, reportChannelId } = settings;
	switch (step) {
		case "channels": {
			const channels = new ChannelSelectMenuBuilder()
				.setCustomId(setupPickIds.write({ what: "channels" }))
				.setPlaceholder(say(locale, { key: "setupChannelsPlaceholder" }))
				.setChannelTypes(...RULE_CHANNEL_TYPES)
				.setMinValues(0)
				.setMaxValues(CHOSEN_MAX)
				.setDefaultChannels(access.channels.allowed.slice(0, CHOSEN_MAX));
			return [row(channels)];
		}
		case "roles": {
			const roles = new RoleSelectMenuBuilder()
				.setCustomId(setupPickIds.write({ what: "roles" }))
				.setPlaceholder(say(locale, { key: "setupRolesPlaceholder" }))
				.setMinValues(0)
				.setMaxValues(CHOSEN_MAX)
				.setDefaultRoles(access.roles.allowed.slice(0, CHOSEN_MAX));
			return [row(roles)];
		}
		case "budget": {
			const open = new ButtonBuilder()
				.setCustomId(setupBudgetIds.write({}))
				.setLabel(say(locale, { key: "setupBudgetButton" }))
				.setStyle(ButtonStyle.Primary);
			return [row(open)];
		}
		case "moderators": {
			const told = (what: "log" | "reports", channelId: string | null) =>
				new ChannelSelectMenuBuilder()
					.setCustomId(setupPickIds.write({ what }))
					.setPlaceholder(say(locale, { key: what === "log" ? "setupLogPlaceholder" : "setupReportsPlaceholder" }))
					.setChannelTypes(...LOG_CHANNEL_TYPES)
					.setMinValues(0)
					.setMaxValues(1)
					.setDefaultChannels(channelId === null ? [] : [channelId]);
			return [row(told("log", logChannelId)), row(told("reports", reportChannelId))];
		}
		case "summary":
			return [];
	}
}

function waysOn(at: number, locale: string): Row {
	const way = (to: SetupStep | undefined, key: "setupBack" | "setupNext" | "setupAgain", style: ButtonStyle) =>
		to === undefined
			? []
			: [
					new ButtonBuilder()
						.setCustomId(setupStepIds.write({ step: to }))
						.setLabel(say(locale, { key }))
						.setStyle(style),
				];
	const next = SETUP_STEPS[at + 1];
	return row(
		...way(SETUP_STEPS[at - 1], "setupBack", ButtonStyle.Secondary),
		...way(next, "setupNext", ButtonStyle.Success),
		...(next === undefined ? way(SETUP_STEPS[0], "setupAgain", ButtonStyle.Secondary) : []),
	);
}

function row(...components: MessageActionRowComponentBuilder[]): Row {
	return new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(components);
}

/** The form of the budget, with what was typed and refused, else with what is set. */
export function budgetForm(settings: GuildSettings, typed: Budget | undefined, locale: string): ModalBuilder {
	const now = typed ?? budgetOf(settings);
	const fields = BUDGET_FIELDS.map((field) => {
		const input = new TextInputBuilder()
			.setCustomId(field)
			.setStyle(TextInputStyle.Short)
			.setMaxLength(CREDITS_CHARS_MAX)
			.setRequired(false);
		if (now[field] !== "") input.setValue(now[field]);
		return new LabelBuilder()
			.setLabel(say(locale, { key: "setupBudgetLabel", params: { field } }))
			.setDescription(say(locale, { key: "setupBudgetHint", params: { field, per: settings.allowance.per } }))
			.setTextInputComponent(input);
	});
	return new ModalBuilder()
		.setCustomId(setupBudgetIds.write({}))
		.setTitle(say(locale, { key: "setupBudgetButton" }))
		.addLabelComponents(...fields);
}
