import {
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	PermissionFlagsBits,
	SlashCommandBuilder,
} from "discord.js";
import { LANGUAGES } from "../services/settings/settings-changes.ts";
import { LIMIT_CREDITS_MAX, PAUSE_CHARS_MAX } from "../services/settings/settings-schema.ts";
import type { Command } from "./command.ts";
import { requireAuthorization } from "./member.ts";
import { showAudit } from "./settings-audit.ts";
import { setChannel, setGeneral, setMedia, setModel, setPause, setRole, showSettings } from "./settings-change.ts";
import { exportSettings, importSettings } from "./settings-file.ts";
import { RULE_CHANNEL_TYPES, LOG_CHANNEL_TYPES } from "./settings-options.ts";
import { autocompleteModel } from "./settings-autocomplete.ts";
import { localizeChoice, localize } from "./localize.ts";

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
	localizeChoice({ key: "choiceAllow" }, "allow"),
	localizeChoice({ key: "choiceDeny" }, "deny"),
	localizeChoice({ key: "choiceClear" }, "clear"),
] as const;

export const settings: Command = {
	definition: localize(new SlashCommandBuilder(), "settings", "settingsDescription")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.addSubcommand((show) => localize(show, "show", "settingsShowDescription"))
		.addSubcommand((media) =>
			localize(media, "media", "settingsMediaDescription")
				.addBooleanOption((option) => localize(option, "spoiler", "optionSpoiler"))
				.addBooleanOption((option) => localize(option, "private", "optionPrivateDefault"))
				.addBooleanOption((option) => localize(option, "image", "optionImages"))
				.addBooleanOption((option) => localize(option, "video", "optionVideos"))
				.addBooleanOption((option) => localize(option, "music", "optionMusicOn")),
		)
		.addSubcommand((model) =>
			localize(model, "model", "settingsModelDescription")
				.addStringOption((option) =>
					localize(option, "model", "optionModelToSwitch").setRequired(true).setMaxLength(100).setAutocomplete(true),
				)
				.addBooleanOption((option) => localize(option, "on", "optionOn").setRequired(true)),
		)
		.addSubcommand((channel) =>
			localize(channel, "channel", "settingsChannelDescription")
				.addChannelOption((option) =>
					localize(option, "channel", "optionRuleChannel")
						.setRequired(true)
						.addChannelTypes(...RULE_CHANNEL_TYPES),
				)
				.addStringOption((option) =>
					localize(option, "rule", "optionRule")
						.setRequired(true)
						.addChoices(...RULE_CHOICES),
				),
		)
		.addSubcommand((role) =>
			localize(role, "role", "settingsRoleDescription")
				.addRoleOption((option) => localize(option, "role", "optionRuleRole").setRequired(true))
				.addStringOption((option) =>
					localize(option, "rule", "optionRule")
						.setRequired(true)
						.addChoices(...RULE_CHOICES),
				),
		)
		.addSubcommand((general) =>
			localize(general, "general", "settingsGeneralDescription")
				.addStringOption((option) =>
					localize(option, "language", "optionLanguage").addChoices(
						Object.entries(LANGUAGES).map(([value, name]) => ({ name, value })),
					),
				)
				.addIntegerOption((option) =>
					localize(option, "confirm_above", "optionConfirmAbove").setMinValue(0).setMaxValue(LIMIT_CREDITS_MAX),
				)
				.addChannelOption((option) =>
					localize(option, "log_channel", "optionLogChannel").addChannelTypes(...LOG_CHANNEL_TYPES),
				)
				.addChannelOption((option) =>
					localize(option, "report_channel", "optionReportChannel").addChannelTypes(...LOG_CHANNEL_TYPES),
				)
				.addStringOption((option) =>
					localize(option, "unset", "optionUnset").addChoices(
						localizeChoice({ key: "choiceUnsetLanguage" }, "language"),
						localizeChoice({ key: "choiceUnsetConfirm" }, "confirmAbove"),
						localizeChoice({ key: "choiceUnsetLog" }, "logChannelId"),
						localizeChoice({ key: "choiceUnsetReports" }, "reportChannelId"),
					),
				),
		)
		.addSubcommand((pause) =>
			localize(pause, "pause", "settingsPauseDescription")
				.addBooleanOption((option) => localize(option, "on", "optionPauseOn").setRequired(true))
				.addStringOption((option) => localize(option, "sentence", "optionPauseSentence").setMaxLength(PAUSE_CHARS_MAX)),
		)
		.addSubcommand((audit) =>
			localize(audit, "audit", "settingsAuditDescription").addIntegerOption((option) =>
				localize(option, "before", "optionAuditBefore").setMinValue(1),
			),
		)
		.addSubcommand((out) => localize(out, "export", "settingsExportDescription"))
		.addSubcommand((into) =>
			localize(into, "import", "settingsImportDescription").addAttachmentOption((option) =>
				localize(option, "file", "optionImportFile").setRequired(true),
			),
		)
		.toJSON(),

	async execute(interaction, services, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAuthorization(interaction, services);
		const name = interaction.options.getSubcommand();
		if (!isSubcommand(name)) throw new Error("a subcommand that is registered and not known");
		await SUBCOMMANDS[name](interaction, services, logger);
	},

	autocomplete: autocompleteModel,
};

function isSubcommand(name: string): name is keyof typeof SUBCOMMANDS {
	return Object.hasOwn(SUBCOMMANDS, name);
}
