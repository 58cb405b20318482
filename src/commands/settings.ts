import {
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	PermissionFlagsBits,
	SlashCommandBuilder,
} from "discord.js";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { LANGUAGES } from "../services/settings/settings-changes.ts";
import { LIMIT_CREDITS_MAX, PAUSE_CHARS_MAX } from "../services/settings/settings-schema.ts";
import type { CommandOverrides } from "../services/settings/command-access.ts";
import { subcommandOf, type Command, type Subcommand } from "./command.ts";
import { requireAuthorization } from "./member.ts";
import { showAudit } from "./settings-audit.ts";
import {
	setChannel,
	setGeneral,
	setMedia,
	setModel,
	setPause,
	setRole,
	showSettings,
	type SettingsChangeDeps,
	RULE_CHANNEL_TYPES,
	LOG_CHANNEL_TYPES,
} from "./settings-change.ts";
import { exportSettings, importSettings, type SettingsFileDeps } from "./settings-file.ts";
import { localizeChoice, localize } from "./localize.ts";

type SettingsDeps = SettingsChangeDeps & SettingsFileDeps & { readonly commandPermissions: CommandOverrides };

const SUBCOMMANDS: Readonly<Record<string, Subcommand<SettingsDeps>>> = {
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
};

const CHOICES_MAX = 25;
const CHOICE_CHARS_MAX = 100;

const RULE_CHOICES = [
	localizeChoice({ key: "choiceAllow" }, "allow"),
	localizeChoice({ key: "choiceDeny" }, "deny"),
	localizeChoice({ key: "choiceClear" }, "clear"),
] as const;

export const settings: Command<SettingsDeps> = {
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

	async execute(interaction, deps, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAuthorization(interaction, deps);
		await subcommandOf(interaction, SUBCOMMANDS)(interaction, deps, logger);
	},

	/** Offers models of every media type whose name or id contains the text. */
	async autocomplete(interaction, { catalog }) {
		const text = interaction.options.getFocused().trim().toLowerCase();
		const models = MEDIA_TYPES.flatMap((mediaType) => catalog.known(mediaType));
		const found = models.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(text));
		await interaction.respond(
			found.slice(0, CHOICES_MAX).map(({ id, name }) => ({ name: name.slice(0, CHOICE_CHARS_MAX), value: id })),
		);
	},
};
