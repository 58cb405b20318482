/** The subcommands of `/settings` that show and change what is set. */
import type { ChatInputCommandInteraction } from "discord.js";
import type { Logger } from "pino";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { formatAccess } from "../services/settings/format-access.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import { activeBlock } from "../services/moderation/policy.ts";
import {
	changeAccess,
	changeGeneral,
	changeMedia,
	changeModel,
	changePause,
	RULES,
	type GeneralChange,
} from "../services/settings/settings-changes.ts";
import { PAUSE_CHARS_MAX } from "../services/settings/settings-schema.ts";
import { plainLine } from "../i18n/quote.ts";
import { UserError } from "../services/user-error.ts";
import type { Command, Services } from "./command.ts";
import { assertChannelWritable } from "./assert-channel-writable.ts";

type Interaction = ChatInputCommandInteraction<"raw" | "cached">;

export const showSettings: Command["execute"] = async (interaction, services) => {
	await show(interaction, services, await services.settings.read(interaction.guildId));
};

export const setMedia: Command["execute"] = async (interaction, services, logger) => {
	const { options } = interaction;
	const chosen = (name: string): boolean | undefined => options.getBoolean(name) ?? undefined;
	const media = Object.fromEntries(MEDIA_TYPES.map((medium) => [medium, chosen(medium)]));
	const wishes = { media, spoiler: chosen("spoiler"), private: chosen("private") };
	await change(interaction, services, logger, (before) => changeMedia(before, wishes));
};

export const setModel: Command["execute"] = async (interaction, services, logger) => {
	const { options, guildId } = interaction;
	const typed = options.getString("model", true).trim();
	const isOn = options.getBoolean("on", true);
	const { modelsOff } = (await services.settings.read(guildId)).access;
	// A model that the service no longer lists can still be switched on again.
	const gone = isOn ? modelsOff.find((id) => id === typed) : undefined;
	const modelId = gone ?? (await modelNamed(services, typed));
	await change(interaction, services, logger, (before) => changeModel(before, modelId, isOn));
};

export const setChannel: Command["execute"] = async (interaction, services, logger) => {
	const { id } = interaction.options.getChannel("channel", true);
	const rule = ruleOf(interaction);
	await change(interaction, services, logger, (before) => changeAccess(before, "channels", id, rule));
};

export const setRole: Command["execute"] = async (interaction, services, logger) => {
	const { id } = interaction.options.getRole("role", true);
	if (id === interaction.guildId) throw new UserError({ key: "everyoneRoleRule" });
	const rule = ruleOf(interaction);
	await change(interaction, services, logger, (before) => changeAccess(before, "roles", id, rule));
};

export const setGeneral: Command["execute"] = async (interaction, services, logger) => {
	const { options } = interaction;
	const unset = options.getString("unset");
	const given = {
		language: options.getString("language") ?? undefined,
		confirmAbove: options.getInteger("confirm_above") ?? undefined,
		logChannelId: options.getChannel("log_channel")?.id,
		reportChannelId: options.getChannel("report_channel")?.id,
	} satisfies GeneralChange;
	if (unset !== null && given[unset as keyof typeof given] !== undefined) throw new UserError({ key: "generalOneOf" });
	const wishes: GeneralChange = unset === null ? given : { ...given, [unset]: null };
	await assertChannelWritable(services, interaction, wishes.logChannelId, { key: "logChannelHello" });
	await assertChannelWritable(services, interaction, wishes.reportChannelId, { key: "reportChannelHello" });
	await change(interaction, services, logger, (before) => changeGeneral(before, wishes));
};

export const setPause: Command["execute"] = async (interaction, services, logger) => {
	const isPaused = interaction.options.getBoolean("on", true);
	const sentence = plainLine(interaction.options.getString("sentence") ?? "", PAUSE_CHARS_MAX);
	await change(interaction, services, logger, (before) =>
		changePause(before, isPaused, sentence === "" ? null : sentence),
	);
};

/** Changes, logs which fields without what is in them, and shows all that is set. */
async function change(
	interaction: Interaction,
	services: Services,
	logger: Logger,
	changed: (settings: GuildSettings) => GuildSettings,
): Promise<void> {
	const { guildId, user } = interaction;
	const after = await services.settings.change(guildId, changed, `member:${user.id}`);
	logger.info({ userId: user.id, subcommand: interaction.options.getSubcommand() }, "settings changed");
	await show(interaction, services, after);
}

async function show(interaction: Interaction, { clock }: Services, settings: GuildSettings): Promise<void> {
	const nowMs = clock.nowMs();
	const blocked = Object.keys(settings.blocks).filter((userId) => activeBlock(settings, userId, nowMs)).length;
	await interaction.editReply({ content: formatAccess(settings, blocked, interaction.locale) });
}

function ruleOf({ options }: Interaction) {
	const wanted = options.getString("rule", true);
	const rule = RULES.find((each) => each === wanted);
	if (!rule) throw new Error("a rule that is registered and not known");
	return rule;
}

/** Of whichever medium: an id or a name. */
async function modelNamed({ catalogue }: Services, typed: string): Promise<string> {
	const word = typed.toLowerCase();
	for (const mediaType of MEDIA_TYPES) {
		const found = catalogue
			.known(mediaType)
			.find(({ id, name }) => id.toLowerCase() === word || name.toLowerCase() === word);
		if (found) return found.id;
	}
	// Refuses in the words that a generation would.
	return (await catalogue.choose("image", typed)).id;
}
