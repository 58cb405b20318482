/** Renders the steps of `/setup`: explanation, current settings and controls. Pure functions. */
import { ButtonStyle, type APIComponentInMessageActionRow } from "discord.js";
import { button, cardReply, row, text, CHOICES_MAX } from "../discord/card.ts";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import { formatSettings } from "../services/settings/format-settings.ts";
import { blockedCount } from "../services/moderation/policy.ts";
import { mediaLines } from "../services/settings/format-limits.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import { SETUP_STEPS, type SetupStep } from "../services/settings/setup-steps.ts";
import type { MessageKey, MessageDescriptor } from "../i18n/message-descriptor.ts";
import { t } from "../i18n/messages.ts";
import { channelMenu, idListOf, roleMenu } from "./framework/form-fields.ts";
import { openLimitsCustomId } from "./setup-limits.ts";
import { COMMAND_CHANNEL_TYPES, POST_CHANNEL_TYPES } from "../discord/channel-types.ts";

export const setupStepCustomId = defineCustomId("setup", { step: idField.oneOf(...SETUP_STEPS) });
export const setupPickCustomId = defineCustomId("setup-pick", {
	target: idField.oneOf("channels", "roles", "log", "reports"),
});

const STEP_TEXT_KEYS = {
	channels: "setup.channels",
	roles: "setup.roles",
	limits: "setup.limits",
	moderators: "setup.moderators",
	summary: "setup.summary",
} as const satisfies Record<SetupStep, MessageKey>;

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
	const details = [...notices, ...(step === "limits" ? limitLines(settings) : [])].map((message) => t(locale, message));
	const hiddenChoices = hiddenCount(step, settings);
	const hiddenChoicesLine =
		hiddenChoices > 0 ? [t(locale, { key: "setup.more", params: { more: hiddenChoices } })] : [];
	const explanation = [t(locale, { key: STEP_TEXT_KEYS[step], params }), ...hiddenChoicesLine].join("\n");
	const state = [...details, ...summary].join("\n");
	const rows = [...controls(step, settings, locale).map((control) => row(control)), navigationRow(stepIndex, locale)];
	return cardReply([text(explanation), ...(state === "" ? [] : [text(state)]), ...rows]);
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

function limitLines(settings: GuildSettings): readonly MessageDescriptor[] {
	return [...limitsOf(settings), { key: "settings.confirm", params: { confirmAbove: settings.confirmAbove } }];
}

function hiddenCount(step: SetupStep, { access }: GuildSettings): number {
	if (step !== "channels" && step !== "roles") return 0;
	return Math.max(0, access[step].allowed.length - CHOICES_MAX);
}

/** Builds the menus or the button of a step. */
function controls(step: SetupStep, settings: GuildSettings, locale: string): readonly APIComponentInMessageActionRow[] {
	const { access, logChannelId, reportChannelId } = settings;
	const placeholder = (target: keyof typeof PLACEHOLDER_KEYS) => ({
		placeholder: t(locale, { key: PLACEHOLDER_KEYS[target] }),
	});
	const postMenu = (target: "log" | "reports", id: string | null) => ({
		...channelMenu(setupPickCustomId.encode({ target }), idListOf(id), POST_CHANNEL_TYPES, 1),
		...placeholder(target),
	});
	switch (step) {
		case "channels": {
			const menu = channelMenu(
				setupPickCustomId.encode({ target: "channels" }),
				access.channels.allowed,
				COMMAND_CHANNEL_TYPES,
			);
			return [{ ...menu, ...placeholder("channels") }];
		}
		case "roles":
			return [
				{ ...roleMenu(setupPickCustomId.encode({ target: "roles" }), access.roles.allowed), ...placeholder("roles") },
			];
		case "limits": {
			const label = t(locale, { key: "button.setupLimits" });
			return [button(openLimitsCustomId(settings), label, { style: ButtonStyle.Primary })];
		}
		case "moderators":
			return [postMenu("log", logChannelId), postMenu("reports", reportChannelId)];
		case "summary":
			return [];
	}
}

const PLACEHOLDER_KEYS = {
	channels: "form.setupChannelsPlaceholder",
	roles: "form.setupRolesPlaceholder",
	log: "form.setupLogPlaceholder",
	reports: "form.setupReportsPlaceholder",
} as const;

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
		...(next === undefined ? buttonTo(SETUP_STEPS[0], "button.setupRestart") : []),
	);
}
