/**
 * A guided first setup for managers. Each step writes the same settings as `/settings` and `/quota` immediately, so that a
 * manager can stop and continue at any step.
 */
import type {
	BaseInteraction,
	ChannelSelectMenuInteraction,
	ModalSubmitInteraction,
	RoleSelectMenuInteraction,
} from "discord.js";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { changeAllowed, changeGeneral } from "../services/settings/settings-updates.ts";
import type { GuildSettings, GuildSettingsStore, SettingsUpdate } from "../services/settings/guild-settings.ts";
import { BUDGET_FIELDS, changeBudget, type Budget, type SetupStep } from "../services/settings/setup-steps.ts";
import type { MessageDescriptor } from "../i18n/message-descriptor.ts";
import type { DeniedForms } from "../services/settings/denied-forms.ts";
import type { SetupProgress } from "../services/settings/setup-steps.ts";
import { definePrivateCommand, type InGuild } from "./framework/command.ts";
import { defineComponent } from "./framework/component.ts";
import { submittedValues } from "./framework/form-fields.ts";
import { MANAGERS_ONLY, requireManager } from "./framework/invoking-member.ts";
import { saveSettings } from "./framework/save-settings.ts";
import { budgetForm, setupBudgetCustomId, setupPickCustomId, setupStepCustomId, setupView } from "./setup-view.ts";
import { postGreeting, type GreetingDeps } from "./framework/post-greeting.ts";

interface SetupDeps extends GreetingDeps {
	readonly settings: GuildSettingsStore;
	readonly setupProgress: SetupProgress;
	readonly deniedForms: DeniedForms;
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
			await saveStep(interaction, deps, logger, "channels", async () => {
				const shown = shownIdsOf(interaction);
				return (before) => changeAllowed(before, "channels", { shown, chosen });
			});
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
		await saveStep(interaction, deps, logger, "roles", async () => {
			if (isEveryone) return withNoneAllowed;
			const shown = shownIdsOf(interaction);
			return (before) => changeAllowed(before, "roles", { shown, chosen });
		});
	},
);

export const openBudgetForm = defineComponent(
	"button",
	setupBudgetCustomId,
	async (interaction, _values, deps: SetupDeps) => {
		requireManager(interaction);
		const { guildId, locale } = interaction;
		const denied = deps.deniedForms.get(budgetFormOf(interaction)) ?? {};
		await interaction.showModal(budgetForm(await deps.settings.read(guildId), denied, locale));
	},
);

export const saveSetupBudget = defineComponent(
	"modal",
	setupBudgetCustomId,
	async (interaction, _values, deps: SetupDeps, logger) => {
		requireManager(interaction);
		const { fields } = interaction;
		const typed = Object.fromEntries(BUDGET_FIELDS.map((field) => [field, fields.getTextInputValue(field)])) as Budget;
		// Set before the reply: the manager may open the modal again immediately.
		deps.deniedForms.set(budgetFormOf(interaction), submittedValues(fields));
		const isSaved = await saveStep(interaction, deps, logger, "budget", async () => (before) => {
			return changeBudget(before, typed);
		});
		if (isSaved) deps.deniedForms.delete(budgetFormOf(interaction));
	},
);

function budgetFormOf({ guildId, user }: BaseInteraction<InGuild>) {
	return { guildId, userId: user.id, field: "budget" };
}

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
	prepareUpdate: () => Promise<SettingsUpdate>,
): Promise<boolean> {
	requireManager(interaction);
	const saved = await saveSettings(interaction, { settings, logFields: { step }, prepareUpdate }, logger);
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
