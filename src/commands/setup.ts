/**
 * A guided first run, for who manages the server: each step writes the same settings that `/settings` and `/quota` do, at
 * once, so that it can be left anywhere and gone on with at any time.
 */
import {
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	PermissionFlagsBits,
	SlashCommandBuilder,
	type ChannelSelectMenuInteraction,
	type ModalSubmitInteraction,
	type RoleSelectMenuInteraction,
} from "discord.js";
import type { Logger } from "pino";
import { changeGeneral } from "../services/settings/settings-changes.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import { BUDGET_FIELDS, changeBudget, type Budget, type SetupStep } from "../services/settings/setup-steps.ts";
import type { MessageRef } from "../i18n/messages.ts";
import { UserError } from "../services/user-error.ts";
import type { Command, InGuild, Services } from "./command.ts";
import { defineComponent } from "./components/component.ts";
import { requireManager } from "./member.ts";
import { budgetForm, CHOSEN_MAX, setupBudgetIds, setupPickIds, setupStepIds, setupView } from "./setup-view.ts";
import { assertChannelWritable } from "./assert-channel-writable.ts";
import { localize } from "./localize.ts";

export const setup: Command = {
	definition: localize(new SlashCommandBuilder(), "setup", "setupDescription")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.toJSON(),
	async execute(interaction, { settings, setupProgress }) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		requireManager(interaction);
		const { guildId, locale } = interaction;
		const { step } = await setupProgress.read(guildId);
		await interaction.editReply(setupView(step, await settings.read(guildId), locale));
	},
};

export const setupStep = defineComponent("button", setupStepIds, async (interaction, { step }, services) => {
	requireManager(interaction);
	await interaction.deferUpdate();
	const { guildId, locale } = interaction;
	await services.setupProgress.write(guildId, { step });
	await interaction.editReply(setupView(step, await services.settings.read(guildId), locale));
});

export const setupChannels = defineComponent(
	"channelSelect",
	setupPickIds,
	async (interaction, { what }, services, logger) => {
		const chosen = [...interaction.values];
		const [channelId = null] = chosen;
		switch (what) {
			case "channels":
				await write(interaction, services, logger, "channels", async () => withAllowed("channels", chosen));
				return;
			case "log":
				await write(interaction, services, logger, "moderators", async () => {
					await assertChannelWritable(services, interaction, channelId, { key: "logChannelHello" });
					return (before) => changeGeneral(before, { ...NO_WISHES, logChannelId: channelId });
				});
				return;
			case "reports":
				await write(interaction, services, logger, "moderators", async () => {
					await assertChannelWritable(services, interaction, channelId, { key: "reportChannelHello" });
					return (before) => changeGeneral(before, { ...NO_WISHES, reportChannelId: channelId });
				});
				return;
			case "roles":
				throw new Error("a menu of channels that chooses roles");
		}
	},
);

export const setupRoles = defineComponent("roleSelect", setupPickIds, async (interaction, _what, services, logger) => {
	// The role of everybody is named like the server: who chooses it means that there is no limit.
	const isEverybody = interaction.values.includes(interaction.guildId);
	const chosen = [...interaction.values];
	await write(interaction, services, logger, "roles", async () =>
		isEverybody ? withNoneAllowed : withAllowed("roles", chosen),
	);
});

export const setupBudget = defineComponent("button", setupBudgetIds, async (interaction, _values, services) => {
	requireManager(interaction);
	const { guildId, locale } = interaction;
	const [settings, { typed }] = await Promise.all([
		services.settings.read(guildId),
		services.setupProgress.read(guildId),
	]);
	await interaction.showModal(budgetForm(settings, typed, locale));
});

export const setupBudgetForm = defineComponent(
	"modal",
	setupBudgetIds,
	async (interaction, _values, services, logger) => {
		requireManager(interaction);
		const { fields, guildId } = interaction;
		const typed = Object.fromEntries(BUDGET_FIELDS.map((field) => [field, fields.getTextInputValue(field)])) as Budget;
		// Before the answer: the form may be opened again at once.
		await services.setupProgress.write(guildId, { step: "budget", typed });
		const isSaved = await write(interaction, services, logger, "budget", async () => (before) => {
			return changeBudget(before, typed);
		});
		if (isSaved) await services.setupProgress.write(guildId, { step: "budget" });
	},
);

const NO_WISHES = {
	language: undefined,
	confirmAbove: undefined,
	logChannelId: undefined,
	reportChannelId: undefined,
};

/**
 * What is chosen is allowed, and nothing of it is denied any more. What the menu had no room to show stays allowed: nobody
 * has decided about it.
 */
function withAllowed(kind: "channels" | "roles", chosen: readonly string[]) {
	return (before: GuildSettings): GuildSettings => {
		const beyond = before.access[kind].allowed.slice(CHOSEN_MAX).filter((id) => !chosen.includes(id));
		const allowed = [...chosen, ...beyond];
		const denied = before.access[kind].denied.filter((id) => !allowed.includes(id));
		return { ...before, access: { ...before.access, [kind]: { allowed, denied } } };
	};
}

function withNoneAllowed(before: GuildSettings): GuildSettings {
	return { ...before, access: { ...before.access, roles: { ...before.access.roles, allowed: [] } } };
}

/**
 * Writes one step's choice, and shows the step with what is set then. False where the choice was refused: the step says why,
 * until the next choice, and its menus show what is set, not what was refused.
 */
async function write(
	interaction:
		| ChannelSelectMenuInteraction<InGuild>
		| RoleSelectMenuInteraction<InGuild>
		| ModalSubmitInteraction<InGuild>,
	{ settings }: Services,
	logger: Logger,
	step: SetupStep,
	chosen: () => Promise<(before: GuildSettings) => GuildSettings>,
): Promise<boolean> {
	requireManager(interaction);
	await interaction.deferUpdate();
	const { guildId, locale, user } = interaction;
	let after: GuildSettings;
	try {
		after = await settings.change(guildId, await chosen(), `member:${user.id}`);
	} catch (error) {
		if (!(error instanceof UserError)) throw error;
		logger.info({ refusal: error.saying.key }, "command refused");
		const notices: MessageRef[] = [error.saying, ...(step === "budget" ? [{ key: "setupTypedKept" } as const] : [])];
		await interaction.editReply(setupView(step, await settings.read(guildId), locale, notices));
		return false;
	}
	logger.info({ userId: user.id, step }, "settings changed");
	await interaction.editReply(setupView(step, after, locale, [{ key: "setupSaved" }]));
	return true;
}
