/**
 * A guided first setup for managers. Each step writes the same settings as `/settings` and `/quota` immediately, so that a
 * manager can stop and continue at any step.
 */
import type { ChannelSelectMenuInteraction, ModalSubmitInteraction, RoleSelectMenuInteraction } from "discord.js";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { changeGeneral, type SettingChange } from "../services/settings/settings-changes.ts";
import type { GuildSettings, GuildSettingsStore } from "../services/settings/guild-settings.ts";
import { BUDGET_FIELDS, changeBudget, type Budget, type SetupStep } from "../services/settings/setup-steps.ts";
import type { MessageDescriptor } from "../i18n/message-descriptor.ts";
import type { ChannelPoster } from "../services/channel-poster.ts";
import type { SetupProgress } from "../services/settings/setup-steps.ts";
import { definePrivateCommand, type InGuild } from "./command.ts";
import type { LocaleDeps } from "./guild-locale.ts";
import { defineComponent } from "./components/component.ts";
import { MANAGERS_ONLY, requireManager } from "./invoking-member.ts";
import { saveSettings } from "./save-settings.ts";
import { budgetForm, setupBudgetCustomId, setupPickCustomId, setupStepCustomId, setupView } from "./setup-view.ts";
import { postGreeting } from "./post-greeting.ts";
import { CHOICES_MAX } from "../discord/card.ts";

interface SetupDeps extends LocaleDeps {
	readonly settings: GuildSettingsStore;
	readonly setupProgress: SetupProgress;
	readonly channelPoster: ChannelPoster;
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
		if (target === "roles") throw new Error("the channel menu of /setup cannot choose roles");
		const chosen = [...interaction.values];
		if (target === "channels") {
			await saveStep(interaction, deps, logger, "channels", async () => withAllowed("channels", chosen));
			return;
		}
		const [channelId = null] = chosen;
		const field = target === "log" ? "logChannelId" : "reportChannelId";
		await saveStep(interaction, deps, logger, "moderators", async () => {
			await postGreeting(deps, interaction, channelId, target);
			return (before) => changeGeneral(before, { [field]: channelId });
		});
	},
);

export const chooseSetupRoles = defineComponent(
	"roleSelect",
	setupPickCustomId,
	async (interaction, _values, deps: SetupDeps, logger) => {
		// The id of @everyone is the id of the guild. Choosing it removes the restriction.
		const isEveryone = interaction.values.includes(interaction.guildId);
		const chosen = [...interaction.values];
		await saveStep(interaction, deps, logger, "roles", async () =>
			isEveryone ? withNoneAllowed : withAllowed("roles", chosen),
		);
	},
);

export const openBudgetForm = defineComponent(
	"button",
	setupBudgetCustomId,
	async (interaction, _values, deps: SetupDeps) => {
		requireManager(interaction);
		const { guildId, locale } = interaction;
		const [settings, { typed }] = await Promise.all([deps.settings.read(guildId), deps.setupProgress.read(guildId)]);
		await interaction.showModal(budgetForm(settings, typed, locale));
	},
);

export const saveSetupBudget = defineComponent(
	"modal",
	setupBudgetCustomId,
	async (interaction, _values, deps: SetupDeps, logger) => {
		requireManager(interaction);
		const { fields, guildId } = interaction;
		const typed = Object.fromEntries(BUDGET_FIELDS.map((field) => [field, fields.getTextInputValue(field)])) as Budget;
		// Written before the reply: the manager may open the modal again immediately.
		await deps.setupProgress.write(guildId, { step: "budget", typed });
		const isSaved = await saveStep(interaction, deps, logger, "budget", async () => (before) => {
			return changeBudget(before, typed);
		});
		if (isSaved) await deps.setupProgress.write(guildId, { step: "budget" });
	},
);

/** Allows the chosen ids and removes them from the denied ones. Ids that the menu could not show stay allowed. */
function withAllowed(kind: "channels" | "roles", chosen: readonly string[]) {
	return (before: GuildSettings): GuildSettings => {
		const notShown = before.access[kind].allowed.slice(CHOICES_MAX).filter((id) => !chosen.includes(id));
		const allowed = [...chosen, ...notShown];
		const denied = before.access[kind].denied.filter((id) => !allowed.includes(id));
		return { ...before, access: { ...before.access, [kind]: { allowed, denied } } };
	};
}

function withNoneAllowed(before: GuildSettings): GuildSettings {
	return { ...before, access: { ...before.access, roles: { ...before.access.roles, allowed: [] } } };
}

/**
 * Writes the choice of a step and shows the step with the new settings. Resolves to `false` if the choice was denied: the
 * step then shows the reason and the stored settings.
 */
async function saveStep(
	interaction:
		| ChannelSelectMenuInteraction<InGuild>
		| RoleSelectMenuInteraction<InGuild>
		| ModalSubmitInteraction<InGuild>,
	{ settings, clock }: Pick<SetupDeps, "settings" | "clock">,
	logger: Logger,
	step: SetupStep,
	prepareChange: () => Promise<SettingChange>,
): Promise<boolean> {
	requireManager(interaction);
	const saved = await saveSettings(interaction, { settings, logFields: { step }, prepareChange }, logger);
	const notices: readonly MessageDescriptor[] = saved.denial
		? denialNotices(saved.denial, step)
		: [{ key: "setup.saved" }];
	await interaction.editReply(
		setupView(step, saved.settings, { locale: interaction.locale, nowMs: clock.nowMs(), notices }),
	);
	return saved.denial === undefined;
}

function denialNotices(denial: MessageDescriptor, step: SetupStep): readonly MessageDescriptor[] {
	if (step !== "budget") return [denial];
	return [denial, { key: "setup.inputKept", params: { button: { key: "button.setupLimits" } } }];
}
