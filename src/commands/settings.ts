import {
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	PermissionFlagsBits,
	SlashCommandBuilder,
} from "discord.js";
import { LANGUAGES } from "../services/guilds/settings-changes.ts";
import { LIMIT_CREDITS_MAX, PAUSE_CHARS_MAX } from "../services/guilds/settings-schema.ts";
import type { Command } from "./command.ts";
import { requireAdmission } from "./member.ts";
import { showAudit } from "./settings-audit.ts";
import { setChannel, setGeneral, setMedia, setModel, setPause, setRole, showSettings } from "./settings-change.ts";
import { exportSettings, importSettings } from "./settings-file.ts";
import { RULE_CHANNEL_TYPES, TOLD_CHANNEL_TYPES } from "./settings-options.ts";
import { suggestModel } from "./settings-suggest.ts";
import { choice, worded } from "./wording.ts";

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
	choice({ key: "choiceAllow" }, "allow"),
	choice({ key: "choiceDeny" }, "deny"),
	choice({ key: "choiceClear" }, "clear"),
] as const;

export const settings: Command = {
	definition: worded(new SlashCommandBuilder(), "settings", "settingsDescription")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.addSubcommand((show) => worded(show, "show", "settingsShowDescription"))
		.addSubcommand((media) =>
			worded(media, "media", "settingsMediaDescription")
				.addBooleanOption((option) => worded(option, "spoiler", "optionSpoiler"))
				.addBooleanOption((option) => worded(option, "private", "optionPrivateDefault"))
				.addBooleanOption((option) => worded(option, "image", "optionImages"))
				.addBooleanOption((option) => worded(option, "video", "optionVideos"))
				.addBooleanOption((option) => worded(option, "music", "optionMusicOn")),
		)
		.addSubcommand((model) =>
			worded(model, "model", "settingsModelDescription")
				.addStringOption((option) =>
					worded(option, "model", "optionModelToSwitch").setRequired(true).setMaxLength(100).setAutocomplete(true),
				)
				.addBooleanOption((option) => worded(option, "on", "optionOn").setRequired(true)),
		)
		.addSubcommand((channel) =>
			worded(channel, "channel", "settingsChannelDescription")
				.addChannelOption((option) =>
					worded(option, "channel", "optionRuleChannel")
						.setRequired(true)
						.addChannelTypes(...RULE_CHANNEL_TYPES),
				)
				.addStringOption((option) =>
					worded(option, "rule", "optionRule")
						.setRequired(true)
						.addChoices(...RULE_CHOICES),
				),
		)
		.addSubcommand((role) =>
			worded(role, "role", "settingsRoleDescription")
				.addRoleOption((option) => worded(option, "role", "optionRuleRole").setRequired(true))
				.addStringOption((option) =>
					worded(option, "rule", "optionRule")
						.setRequired(true)
						.addChoices(...RULE_CHOICES),
				),
		)
		.addSubcommand((general) =>
			worded(general, "general", "settingsGeneralDescription")
				.addStringOption((option) =>
					worded(option, "language", "optionLanguage").addChoices(
						Object.entries(LANGUAGES).map(([value, name]) => ({ name, value })),
					),
				)
				.addIntegerOption((option) =>
					worded(option, "confirm_above", "optionConfirmAbove").setMinValue(0).setMaxValue(LIMIT_CREDITS_MAX),
				)
				.addChannelOption((option) =>
					worded(option, "log_channel", "optionLogChannel").addChannelTypes(...TOLD_CHANNEL_TYPES),
				)
				.addChannelOption((option) =>
					worded(option, "report_channel", "optionReportChannel").addChannelTypes(...TOLD_CHANNEL_TYPES),
				)
				.addStringOption((option) =>
					worded(option, "unset", "optionUnset").addChoices(
						choice({ key: "choiceUnsetLanguage" }, "language"),
						choice({ key: "choiceUnsetConfirm" }, "confirmAbove"),
						choice({ key: "choiceUnsetLog" }, "logChannelId"),
						choice({ key: "choiceUnsetReports" }, "reportChannelId"),
					),
				),
		)
		.addSubcommand((pause) =>
			worded(pause, "pause", "settingsPauseDescription")
				.addBooleanOption((option) => worded(option, "on", "optionPauseOn").setRequired(true))
				.addStringOption((option) => worded(option, "sentence", "optionPauseSentence").setMaxLength(PAUSE_CHARS_MAX)),
		)
		.addSubcommand((audit) =>
			worded(audit, "audit", "settingsAuditDescription").addIntegerOption((option) =>
				worded(option, "before", "optionAuditBefore").setMinValue(1),
			),
		)
		.addSubcommand((out) => worded(out, "export", "settingsExportDescription"))
		.addSubcommand((into) =>
			worded(into, "import", "settingsImportDescription").addAttachmentOption((option) =>
				worded(option, "file", "optionImportFile").setRequired(true),
			),
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
