/** What `/image`, `/video` and `/music` have in common: defer, read the options, hand one order to the tasks. */
import {
	ApplicationIntegrationType,
	InteractionContextType,
	PermissionFlagsBits,
	SlashCommandBuilder,
	type ChatInputCommandInteraction,
} from "discord.js";
import type { Logger } from "pino";
import type { ReplyTarget } from "../services/delivery/messenger.ts";
import { requireWayBack } from "../services/delivery/way-back.ts";
import type { MediaType, OptionValue } from "../services/generation/model.ts";
import { placeOrder } from "../services/generation/order.ts";
import { isModelOn } from "../services/guilds/policy.ts";
import { STYLE_NAME_CHARS_MAX } from "../services/guilds/settings-schema.ts";
import { withStyle } from "../services/guilds/styles.ts";
import { en } from "../services/messages/en.ts";
import { UserError } from "../services/user-error.ts";
import type { Services } from "./command.ts";
import { deferResult } from "./defer.ts";
import { roleIdsOf } from "./member.ts";
import { placeOf } from "./place.ts";
import { isResultPrivate } from "./privacy.ts";
import { tokenExpiresAtMsOf } from "./token-life.ts";

/** Discord's bound for one option. */
const PROMPT_CHARS_MAX = 6000;
/** Discord sometimes names a limit that it does not keep: nothing larger is tried. */
const ATTACHMENT_BYTES_CEILING = 25 * 1024 * 1024;
const SEED_MAX = 2 ** 31 - 1;
const PICTURE_TYPES = new Set(["image/png", "image/jpeg", "image/webp"]);

/** A generation command with the options that every medium has; `seed` and what else it takes come after these. */
export function generationCommand(name: string, description: string) {
	return new SlashCommandBuilder()
		.setName(name)
		.setDescription(description)
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.addStringOption((option) =>
			option.setName("prompt").setDescription(en.optionPrompt).setRequired(true).setMaxLength(PROMPT_CHARS_MAX),
		)
		.addStringOption((option) => option.setName("model").setDescription(en.optionModel).setAutocomplete(true))
		.addIntegerOption((option) =>
			option.setName("seed").setDescription(en.optionSeed).setMinValue(0).setMaxValue(SEED_MAX),
		)
		.addStringOption((option) =>
			option.setName("style").setDescription(en.optionStyle).setMaxLength(STYLE_NAME_CHARS_MAX).setAutocomplete(true),
		)
		.addBooleanOption((option) => option.setName("private").setDescription(en.optionPrivate));
}

/** Runs one generation command. `optionNames` are those beside prompt, model and image, by the specification's names. */
export async function generate(
	interaction: ChatInputCommandInteraction<"raw" | "cached">,
	services: Services,
	logger: Logger,
	{ mediaType, optionNames }: { readonly mediaType: MediaType; readonly optionNames: readonly string[] },
): Promise<void> {
	const { messageId, isPrivate } = await services.answersFirst.give(async () => {
		const ephemeral = await isResultPrivate(interaction, services);
		return { messageId: await deferResult(interaction, ephemeral), isPrivate: ephemeral };
	});
	const { id, guildId, locale, user } = interaction;
	const place = placeOf(interaction);
	const decided = await services.settings.read(guildId);
	const model = await services.catalogue.choose(mediaType, interaction.options.getString("model"), (each) =>
		isModelOn(decided, each, place.isAgeRestricted ?? false),
	);
	const placed = placeOrder(model, {
		prompt: interaction.options.getString("prompt", true),
		options: Object.fromEntries(optionNames.map((name) => [name, optionOf(interaction, name)])),
		imageUrl: imageUrlOf(interaction),
	});
	const order = withStyle(placed, decided, interaction.options.getString("style"));
	const roleIds = roleIdsOf(interaction);
	const reply = { ...replyTargetOf(interaction, messageId, isPrivate), spoiler: decided.media.spoiler };
	requireWayBack(reply, mediaType);
	await services.tasks.submit({ id, order, guildId, userId: user.id, roleIds, locale, reply, place }, logger);
}

function optionOf({ options }: ChatInputCommandInteraction, name: string): OptionValue | null {
	return options.get(name)?.value ?? null;
}

function imageUrlOf({ options }: ChatInputCommandInteraction): string | null {
	const image = options.getAttachment("image");
	if (image && !PICTURE_TYPES.has(image.contentType ?? "")) throw new UserError({ key: "attachmentNotImage" });
	return image?.url ?? null;
}

function replyTargetOf(interaction: ChatInputCommandInteraction, messageId: string, isPrivate: boolean): ReplyTarget {
	return {
		applicationId: interaction.applicationId,
		token: interaction.token,
		tokenExpiresAtMs: tokenExpiresAtMsOf(interaction),
		channelId: interaction.channelId,
		messageId,
		ephemeral: isPrivate,
		botInGuild:
			ApplicationIntegrationType.GuildInstall in interaction.authorizingIntegrationOwners &&
			// Without the bot itself there are no more than the permissions of what anybody's reply may contain.
			interaction.appPermissions.has(PermissionFlagsBits.ViewChannel),
		attachmentBytesMax: Math.min(interaction.attachmentSizeLimit, ATTACHMENT_BYTES_CEILING),
	};
}
