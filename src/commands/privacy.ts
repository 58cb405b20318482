import {
	ActionRowBuilder,
	ApplicationIntegrationType,
	AttachmentBuilder,
	ButtonBuilder,
	ButtonStyle,
	InteractionContextType,
	MessageFlags,
	SlashCommandBuilder,
	type ChatInputCommandInteraction,
} from "discord.js";
import { customIds } from "../discord/custom-id.ts";
import { say } from "../i18n/messages.ts";
import type { Command, InGuild, Services } from "./command.ts";
import { defineComponent } from "./components/component.ts";
import { localize } from "./localize.ts";

/** What Discord takes everywhere, with room for the rest of the message. */
const FILE_BYTES_MAX = 9 * 1024 * 1024;

const forgetIds = customIds("forget", {});

/** Whatever is set in a server, and whoever is blocked there: what is kept about somebody is theirs to ask for. */
export const privacy: Command = {
	definition: localize(new SlashCommandBuilder(), "privacy", "privacyDescription")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.addSubcommand((out) => localize(out, "export", "privacyExportDescription"))
		.addSubcommand((forget) => localize(forget, "delete", "privacyDeleteDescription"))
		.toJSON(),
	async execute(interaction, services) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		if (interaction.options.getSubcommand() === "export") await exportAll(interaction, services);
		else await askWhetherToDelete(interaction, services);
	},
};

async function exportAll(
	interaction: ChatInputCommandInteraction<InGuild>,
	{ privacy: privacyService }: Services,
): Promise<void> {
	const { guildId, user, locale } = interaction;
	const { text, tasks, isCut } = await privacyService.collect({ guildId, userId: user.id }, FILE_BYTES_MAX);
	const file = new AttachmentBuilder(Buffer.from(text), { name: "privacy.json" });
	const params = { tasks, isCut, days: privacyService.retentionDays };
	await interaction.editReply({ content: say(locale, { key: "privacyExported", params }), files: [file] });
}

async function askWhetherToDelete(
	interaction: ChatInputCommandInteraction<InGuild>,
	{ privacy: privacyService }: Services,
): Promise<void> {
	const { locale } = interaction;
	const button = new ButtonBuilder()
		.setCustomId(forgetIds.write({}))
		.setStyle(ButtonStyle.Danger)
		.setLabel(say(locale, { key: "buttonForget" }));
	const params = { days: privacyService.retentionDays };
	await interaction.editReply({
		content: say(locale, { key: "privacyDeleteAsk", params }),
		components: [new ActionRowBuilder<ButtonBuilder>().addComponents(button)],
	});
}

/** Of whoever presses it, so that nobody can press it for somebody else. */
export const forget = defineComponent(
	"button",
	forgetIds,
	async (interaction, _values, { privacy: privacyService }, logger) => {
		const { guildId, user, locale } = interaction;
		await interaction.deferUpdate();
		const { removed, open } = await privacyService.remove({ guildId, userId: user.id });
		logger.info({ userId: user.id, removed, open }, "a member's tasks removed");
		const content = say(locale, { key: "privacyDeleted", params: { forgotten: removed, stillOpen: open } });
		await interaction.editReply({ content, components: [] });
	},
);
