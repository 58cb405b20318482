import { ButtonStyle } from "discord.js";
import { button, cardReply, fileReply, row, text } from "../discord/card.ts";
import { defineCustomId } from "../discord/custom-id.ts";
import { t } from "../i18n/messages.ts";
import { defineCommandGroup, subcommand } from "./framework/command.ts";
import { defineButton } from "./framework/component.ts";

/** Discord accepts 10 MB everywhere; the rest is for the message. */
const FILE_BYTES_MAX = 9 * 1024 * 1024;

const deleteDataCustomId = defineCustomId("forget", {});

/** Every member may use it, also when blocked or denied by the server's settings. */
export const privacy = defineCommandGroup("privacy", [
	subcommand("export", [], async (interaction, { privacyService, commandMentions }) => {
		const { guildId, user, locale } = interaction;
		const member = { guildId, userId: user.id };
		const { text: exported, tasks, isComplete } = await privacyService.exportData(member, FILE_BYTES_MAX);
		const params = { tasks, isComplete, days: privacyService.retentionDays };
		const content = commandMentions.say(locale, { key: "privacy.exported", params });
		await interaction.editReply(fileReply(content, "privacy.json", exported));
	}),
	subcommand("delete", [], async (interaction, { privacyService, commandMentions }) => {
		const { locale } = interaction;
		const label = t(locale, { key: "button.deleteData" });
		const params = { button: { key: "button.delete" }, days: privacyService.retentionDays } as const;
		const confirm = button(deleteDataCustomId.encode({}), label, { style: ButtonStyle.Danger });
		const question = text(commandMentions.say(locale, { key: "privacy.confirmDelete", params }));
		await interaction.editReply(cardReply([question, row(confirm)], "warning"));
	}),
]);

/** Removes the data about the member who presses the button, except open tasks and charges. */
export const deleteMemberData = defineButton(
	deleteDataCustomId,
	async (interaction, _values, { privacyService, commandMentions, logger }) => {
		const { guildId, user, locale } = interaction;
		await interaction.deferUpdate();
		const { removed, open } = await privacyService.remove({ guildId, userId: user.id });
		logger.info({ userId: user.id, removed, open }, "tasks of member removed");
		const lines = [commandMentions.say(locale, { key: "privacy.deleted" })];
		if (open > 0) lines.push(commandMentions.say(locale, { key: "privacy.unfinished", params: { jobs: open } }));
		await interaction.editReply(cardReply([text(lines.join("\n"))]));
	},
);
