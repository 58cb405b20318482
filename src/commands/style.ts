import {
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	SlashCommandBuilder,
	type ChatInputCommandInteraction,
} from "discord.js";
import type { Logger } from "pino";
import { MEDIA_TYPES } from "../services/generation/model.ts";
import type { GuildSettings } from "../services/guilds/guild-settings.ts";
import { STYLE_CHARS_MAX, STYLE_NAME_CHARS_MAX } from "../services/guilds/settings-schema.ts";
import { addStyle, removeStyle, stylesLike } from "../services/guilds/styles.ts";
import { say } from "../services/messages/messages.ts";
import { quote } from "../services/messages/quote.ts";
import type { Command, Services } from "./command.ts";
import { listAnswer } from "./list-answer.ts";
import { requireManager } from "./member.ts";
import { choice, worded } from "./wording.ts";

const CHOICES_MAX = 25;
const TEXT_CHARS_SHOWN = 100;

type Interaction = ChatInputCommandInteraction<"raw" | "cached">;

export const style: Command = {
	definition: worded(new SlashCommandBuilder(), "style", "styleDescription")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.addSubcommand((all) => worded(all, "list", "styleListDescription"))
		.addSubcommand((add) =>
			worded(add, "add", "styleAddDescription")
				.addStringOption((option) =>
					worded(option, "name", "optionStyleName").setRequired(true).setMaxLength(STYLE_NAME_CHARS_MAX),
				)
				.addStringOption((option) =>
					worded(option, "text", "optionStyleText").setRequired(true).setMaxLength(STYLE_CHARS_MAX),
				)
				.addStringOption((option) =>
					worded(option, "medium", "optionStyleMedium").addChoices(
						choice({ key: "choiceImage" }, "image"),
						choice({ key: "choiceVideo" }, "video"),
						choice({ key: "choiceMusic" }, "music"),
					),
				),
		)
		.addSubcommand((remove) =>
			worded(remove, "remove", "styleRemoveDescription").addStringOption((option) =>
				worded(option, "name", "optionStyleToRemove")
					.setRequired(true)
					.setMaxLength(STYLE_NAME_CHARS_MAX)
					.setAutocomplete(true),
			),
		)
		.toJSON(),

	async execute(interaction, services, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		const { guildId, options } = interaction;
		switch (options.getSubcommand()) {
			case "add": {
				const wanted = options.getString("medium");
				const medium = MEDIA_TYPES.find((each) => each === wanted) ?? null;
				const text = options.getString("text", true);
				const name = options.getString("name", true);
				return await change(interaction, services, logger, (before) => addStyle(before, name, { text, medium }));
			}
			case "remove": {
				const name = options.getString("name", true);
				return await change(interaction, services, logger, (before) => removeStyle(before, name));
			}
			default:
				return await list(interaction, await services.settings.read(guildId));
		}
	},

	async autocomplete(interaction, { settings }) {
		const { guildId, options } = interaction;
		if (guildId === null) return await interaction.respond([]);
		const found = stylesLike(await settings.read(guildId), null, options.getFocused());
		await interaction.respond(found.slice(0, CHOICES_MAX).map((name) => ({ name, value: name })));
	},
};

/** Everybody may see them; only who manages the server changes them. */
async function change(
	interaction: Interaction,
	{ settings }: Services,
	logger: Logger,
	changed: (settings: GuildSettings) => GuildSettings,
): Promise<void> {
	requireManager(interaction);
	const { guildId, user } = interaction;
	const after = await settings.change(guildId, changed, `member:${user.id}`);
	logger.info({ userId: user.id, styles: Object.keys(after.styles).length }, "styles changed");
	await list(interaction, after);
}

async function list(interaction: Interaction, { styles }: GuildSettings): Promise<void> {
	const { locale } = interaction;
	const all = Object.entries(styles);
	if (all.length === 0) {
		await interaction.editReply({ content: say(locale, { key: "stylesEmpty" }) });
		return;
	}
	const lines = all.map(([name, { text, medium }]) =>
		say(locale, { key: "styleLine", params: { name, medium, text: quote(text, TEXT_CHARS_SHOWN) } }),
	);
	const fileLines = all.map(([name, { text, medium }]) => [name, medium ?? "", text].join("\t"));
	const foot = say(locale, { key: "restInFile" });
	const head = say(locale, { key: "stylesHead" });
	await interaction.editReply(listAnswer(head, lines, { foot, fileName: "styles.txt", fileLines }));
}
