import {
	ActionRowBuilder,
	AttachmentBuilder,
	ButtonBuilder,
	ButtonStyle,
	MessageFlags,
	type ChatInputCommandInteraction,
} from "discord.js";
import { defineCustomId } from "../discord/custom-id.ts";
import { t } from "../i18n/messages.ts";
import type { PrivacyService } from "../services/privacy/privacy-service.ts";
import type { Command, InGuild } from "./command.ts";
import { defineComponent } from "./components/component.ts";
import { localize } from "./localize.ts";
import { guildCommand } from "./guild-command.ts";

/** Discord accepts 10 MB everywhere; the rest is for the message. */
const FILE_BYTES_MAX = 9 * 1024 * 1024;

const deleteDataCustomId = defineCustomId("forget", {});

interface PrivacyDeps {
	readonly privacy: PrivacyService;
}

/** Every member may use it, also when blocked or denied by the server's settings. */
export const privacy: Command<PrivacyDeps> = {
	definition: guildCommand("privacy", "command.privacy")
		.addSubcommand((exporting) => localize(exporting, "export", "command.privacyExport"))
		.addSubcommand((deleting) => localize(deleting, "delete", "command.privacyDelete"))
		.toJSON(),
	async execute(interaction, deps) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		if (interaction.options.getSubcommand() === "export") await exportAll(interaction, deps);
		else await askToConfirmDeletion(interaction, deps);
	},
};

async function exportAll(
	interaction: ChatInputCommandInteraction<InGuild>,
	{ privacy: privacyService }: PrivacyDeps,
): Promise<void> {
	const { guildId, user, locale } = interaction;
	const { text, tasks, isCut } = await privacyService.exportData({ guildId, userId: user.id }, FILE_BYTES_MAX);
	const file = new AttachmentBuilder(Buffer.from(text), { name: "privacy.json" });
	const params = { tasks, isCut, days: privacyService.retentionDays };
	await interaction.editReply({ content: t(locale, { key: "privacy.exported", params }), files: [file] });
}

async function askToConfirmDeletion(
	interaction: ChatInputCommandInteraction<InGuild>,
	{ privacy: privacyService }: PrivacyDeps,
): Promise<void> {
	const { locale } = interaction;
	const button = new ButtonBuilder()
		.setCustomId(deleteDataCustomId.encode({}))
		.setStyle(ButtonStyle.Danger)
		.setLabel(t(locale, { key: "button.deleteData" }));
	const params = { button: { key: "button.delete" }, days: privacyService.retentionDays } as const;
	await interaction.editReply({
		content: t(locale, { key: "privacy.confirmDelete", params }),
		components: [new ActionRowBuilder<ButtonBuilder>().addComponents(button)],
	});
}

/** Removes the data about the member who presses the button, except open tasks and charges. */
export const deleteMemberData = defineComponent(
	"button",
	deleteDataCustomId,
	async (interaction, _values, { privacy: privacyService }: PrivacyDeps, logger) => {
		const { guildId, user, locale } = interaction;
		await interaction.deferUpdate();
		const { removed, open } = await privacyService.remove({ guildId, userId: user.id });
		logger.info({ userId: user.id, removed, open }, "tasks of member removed");
		const lines = [t(locale, { key: "privacy.deleted", params: { deleted: removed } })];
		if (open > 0) lines.push(t(locale, { key: "privacy.stillRunning", params: { running: open } }));
		await interaction.editReply({ content: lines.join("\n"), components: [] });
	},
);
