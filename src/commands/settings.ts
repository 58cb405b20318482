import {
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	PermissionFlagsBits,
	SlashCommandBuilder,
} from "discord.js";
import { LANGUAGES } from "../services/guilds/settings-changes.ts";
import { PAUSE_CHARS_MAX } from "../services/guilds/settings-schema.ts";
import { en } from "../services/messages/en.ts";
import type { Command } from "./command.ts";
import { requireAdmission } from "./member.ts";
import { showAudit } from "./settings-audit.ts";
import { setChannel, setGeneral, setMedia, setModel, setPause, setRole, showSettings } from "./settings-change.ts";
import { exportSettings, importSettings } from "./settings-file.ts";
import { RULE_CHANNEL_TYPES, TOLD_CHANNEL_TYPES } from "./settings-options.ts";
import { suggestModel } from "./settings-suggest.ts";

const CREDITS_MAX = 1_000_000_000;

const SUBCOMMANDS = {
	show: showSettings,
	media: setMedia,
	model: setModel,
	channel: setChannel,
	role: setRole,
	general: setGeneral,
	pause: setPause,
	audit: showAudit,
	export: exportSettings,
	import: importSettings,
} as const satisfies Record<string, Command["execute"]>;

const RULE_CHOICES = [
	{ name: en.choiceAllow, value: "allow" },
	{ name: en.choiceDeny, value: "deny" },
	{ name: en.choiceClear, value: "clear" },
] as const;

export const settings: Command = {
	definition: new SlashCommandBuilder()
		.setName("settings")
		.setDescription(en.settingsDescription)
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.addSubcommand((show) => show.setName("show").setDescription(en.settingsShowDescription))
		.addSubcommand((media) =>
			media
				.setName("media")
				.setDescription(en.settingsMediaDescription)
				.addBooleanOption((option) => option.setName("spoiler").setDescription(en.optionSpoiler))
				.addBooleanOption((option) => option.setName("private").setDescription(en.optionPrivateDefault))
				.addBooleanOption((option) => option.setName("image").setDescription(en.optionImages))
				.addBooleanOption((option) => option.setName("video").setDescription(en.optionVideos))
				.addBooleanOption((option) => option.setName("music").setDescription(en.optionMusicOn)),
		)
		.addSubcommand((model) =>
			model
				.setName("model")
				.setDescription(en.settingsModelDescription)
				.addStringOption((option) =>
					option
						.setName("model")
						.setDescription(en.optionModelToSwitch)
						.setRequired(true)
						.setMaxLength(100)
						.setAutocomplete(true),
				)
				.addBooleanOption((option) => option.setName("on").setDescription(en.optionOn).setRequired(true)),
		)
		.addSubcommand((channel) =>
			channel
				.setName("channel")
				.setDescription(en.settingsChannelDescription)
				.addChannelOption((option) =>
					option
						.setName("channel")
						.setDescription(en.optionRuleChannel)
						.setRequired(true)
						.addChannelTypes(...RULE_CHANNEL_TYPES),
				)
				.addStringOption((option) =>
					option
						.setName("rule")
						.setDescription(en.optionRule)
						.setRequired(true)
						.addChoices(...RULE_CHOICES),
				),
		)
		.addSubcommand((role) =>
			role
				.setName("role")
				.setDescription(en.settingsRoleDescription)
				.addRoleOption((option) => option.setName("role").setDescription(en.optionRuleRole).setRequired(true))
				.addStringOption((option) =>
					option
						.setName("rule")
						.setDescription(en.optionRule)
						.setRequired(true)
						.addChoices(...RULE_CHOICES),
				),
		)
		.addSubcommand((general) =>
			general
				.setName("general")
				.setDescription(en.settingsGeneralDescription)
				.addStringOption((option) =>
					option
						.setName("language")
						.setDescription(en.optionLanguage)
						.addChoices(Object.entries(LANGUAGES).map(([value, name]) => ({ name, value }))),
				)
				.addIntegerOption((option) =>
					option.setName("confirm_above").setDescription(en.optionConfirmAbove).setMinValue(0).setMaxValue(CREDITS_MAX),
				)
				.addChannelOption((option) =>
					option
						.setName("log_channel")
						.setDescription(en.optionLogChannel)
						.addChannelTypes(...TOLD_CHANNEL_TYPES),
				)
				.addChannelOption((option) =>
					option
						.setName("report_channel")
						.setDescription(en.optionReportChannel)
						.addChannelTypes(...TOLD_CHANNEL_TYPES),
				)
				.addStringOption((option) =>
					option
						.setName("unset")
						.setDescription(en.optionUnset)
						.addChoices(
							{ name: en.choiceUnsetLanguage, value: "language" },
							{ name: en.choiceUnsetConfirm, value: "confirmAbove" },
							{ name: en.choiceUnsetLog, value: "logChannelId" },
							{ name: en.choiceUnsetReports, value: "reportChannelId" },
						),
				),
		)
		.addSubcommand((pause) =>
			pause
				.setName("pause")
				.setDescription(en.settingsPauseDescription)
				.addBooleanOption((option) => option.setName("on").setDescription(en.optionPauseOn).setRequired(true))
				.addStringOption((option) =>
					option.setName("sentence").setDescription(en.optionPauseSentence).setMaxLength(PAUSE_CHARS_MAX),
				),
		)
		.addSubcommand((audit) =>
			audit
				.setName("audit")
				.setDescription(en.settingsAuditDescription)
				.addIntegerOption((option) => option.setName("before").setDescription(en.optionAuditBefore).setMinValue(1)),
		)
		.addSubcommand((out) => out.setName("export").setDescription(en.settingsExportDescription))
		.addSubcommand((into) =>
			into
				.setName("import")
				.setDescription(en.settingsImportDescription)
				.addAttachmentOption((option) => option.setName("file").setDescription(en.optionImportFile).setRequired(true)),
		)
		.toJSON(),

	async execute(interaction, services, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAdmission(interaction, services);
		const name = interaction.options.getSubcommand();
		if (!isSubcommand(name)) throw new Error("a subcommand that is registered and not known");
		await SUBCOMMANDS[name](interaction, services, logger);
	},

	autocomplete: suggestModel,
};

function isSubcommand(name: string): name is keyof typeof SUBCOMMANDS {
	return Object.hasOwn(SUBCOMMANDS, name);
}
