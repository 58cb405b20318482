/**
 * A guided first setup for managers. Each step writes the same settings as `/settings` and `/quota` immediately, so that a
 * manager can stop and continue at any step.
 */
import type { ChannelSelectMenuInteraction, RoleSelectMenuInteraction } from "discord.js";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { changeAllowed, changeGeneral } from "../services/settings/settings-updates.ts";
import type { GuildSettings, SettingsUpdate } from "../services/settings/guild-settings.ts";
import type { SetupStep } from "../services/settings/setup-steps.ts";
import type { SetupProgress } from "../services/settings/setup-steps.ts";
import { definePrivateCommand, type InGuild } from "./framework/command.ts";
import { defineComponent } from "./framework/component.ts";
import { MANAGERS_ONLY, requireManager } from "./framework/invoking-member.ts";
import { definePanel, type PanelDeps } from "./framework/panel.ts";
import { saveSettings } from "./framework/save-settings.ts";
import { LIMITS, setupLimitsCustomId } from "./setup-limits.ts";
import { setupPickCustomId, setupStepCustomId, setupView } from "./setup-view.ts";
import { greetNewChannel, type GreetingPurpose } from "./framework/post-greeting.ts";

interface SetupDeps extends PanelDeps {
	readonly setupProgress: SetupProgress;
	readonly clock: Clock;
}

export const setup = definePrivateCommand<SetupDeps>("setup", "command.setup", {
	audience: MANAGERS_ONLY,
	async execute(interaction, { settings, setupProgress, clock }) {
		const { guildId, locale } = interaction;
		const { step } = await setupProgress.read(guildId);
		await interaction.editReply(setupView(step, await settings.read(guildId), { locale, nowMs: clock.nowMs() }));
	},
});

export const showSetupStep = defineComponent(
	"button",
	setupStepCustomId,
	async (interaction, { step }, deps: SetupDeps) => {
		requireManager(interaction);
		await interaction.deferUpdate();
		const { guildId, locale } = interaction;
		await deps.setupProgress.write(guildId, { step });
		await interaction.editReply(
			setupView(step, await deps.settings.read(guildId), { locale, nowMs: deps.clock.nowMs() }),
		);
	},
);

export const chooseSetupChannels = defineComponent(
	"channelSelect",
	setupPickCustomId,
	async (interaction, { target }, deps: SetupDeps, logger) => {
		requireManager(interaction);
		if (target === "roles") throw new Error("the channel menu of /setup cannot choose roles");
		const { values } = interaction;
		if (target === "channels") {
			const choice = { shown: shownIdsOf(interaction), chosen: values };
			const update: SettingsUpdate = (before) => changeAllowed(before, "channels", choice);
			await saveStep(interaction, { step: "channels", update }, deps, logger);
			return;
		}
		const [channelId = null] = values;
		const field = target === "log" ? "logChannelId" : "reportChannelId";
		const update: SettingsUpdate = (before) => changeGeneral(before, { [field]: channelId });
		await saveStep(interaction, { step: "moderators", update, greeting: target }, deps, logger);
	},
);

export const chooseSetupRoles = defineComponent(
	"roleSelect",
	setupPickCustomId,
	async (interaction, _values, deps: SetupDeps, logger) => {
		requireManager(interaction);
		// The id of @everyone is the id of the guild. Choosing it removes the restriction.
		const isEveryone = interaction.values.includes(interaction.guildId);
		const choice = { shown: shownIdsOf(interaction), chosen: interaction.values };
		const update: SettingsUpdate = (before) =>
			isEveryone ? withNoneAllowed(before) : changeAllowed(before, "roles", choice);
		await saveStep(interaction, { step: "roles", update }, deps, logger);
	},
);

export const { components: setupLimitsComponents } = definePanel<"limits", SetupDeps>({
	customIdCodec: setupLimitsCustomId,
	formTitleKey: "button.setupLimits",
	settingOf: () => LIMITS,
	async show({ locale }, { settings, denial }, { clock }) {
		const notices = [denial?.reason ?? ({ key: "setup.saved" } as const)];
		return setupView("limits", settings, { locale, nowMs: clock.nowMs(), notices });
	},
});

/** Returns the ids that the menu showed as chosen before the member used it. */
function shownIdsOf({
	component,
}: ChannelSelectMenuInteraction<InGuild> | RoleSelectMenuInteraction<InGuild>): readonly string[] {
	const { default_values = [] } = "data" in component ? component.data : component;
	return default_values.map(({ id }) => id);
}

function withNoneAllowed(before: GuildSettings): GuildSettings {
	return { ...before, access: { ...before.access, roles: { ...before.access.roles, allowed: [] } } };
}

interface StepChange {
	readonly step: SetupStep;
	readonly update: SettingsUpdate;
	/** Posted in the channel that the update chooses. */
	readonly greeting?: GreetingPurpose;
}

/** Saves the choice of a step, and shows the step with the new settings, or with the stored ones and the reason for a denial. */
async function saveStep(
	interaction: ChannelSelectMenuInteraction<InGuild> | RoleSelectMenuInteraction<InGuild>,
	{ step, update, greeting }: StepChange,
	deps: SetupDeps,
	logger: Logger,
): Promise<void> {
	const { settings, clock } = deps;
	const beforeSave = async (): Promise<void> => {
		if (greeting) await greetNewChannel(deps, interaction, update, greeting);
	};
	const saved = await saveSettings(interaction, { settings, logFields: { step }, update, beforeSave }, logger);
	const notices = [saved.denial ?? ({ key: "setup.saved" } as const)];
	const { locale } = interaction;
	await interaction.editReply(setupView(step, saved.settings, { locale, nowMs: clock.nowMs(), notices }));
}
