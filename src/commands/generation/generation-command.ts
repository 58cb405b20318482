/** The shared part of `/image`, `/video` and `/music`: options, input and autocomplete. */
import type { APIApplicationCommandBasicOption } from "discord.js";
import { discordOptionName, type MediaType, type OptionValue } from "@atelier/media-protocol/model";
import { STYLE_NAME_CHARS_MAX } from "@atelier/dashboard/limits";
import { autocomplete } from "./autocomplete.ts";
import {
	attachmentOption,
	booleanOption,
	integerOption,
	STRING_CHARS_MAX,
	stringOption,
} from "../framework/command-options.ts";
import { defineSlashCommand, type Command, type SlashInteraction } from "../framework/command.ts";
import { deferGeneration, startGeneration } from "./start-generation.ts";
import type { GenerationSpec } from "../../services/settings/select-model.ts";
import type { PrivacyChoice } from "../../services/settings/result-privacy.ts";
import type { GenerationInput } from "../../services/generation/request.ts";
import { inputUrlOf, maskUrlOf } from "./image-attachment.ts";

/** The largest seed that all engines take: many read it as a signed number of 32 bits. */
const SEED_MAX = 2 ** 31 - 1;
/** Removed from the registered commands if the operator has not configured a text model. */
export const IMPROVE_OPTION = "improve";

/** The options that every media type has. */
const COMMON_OPTIONS = [
	stringOption("prompt", "option.prompt", { required: true, max_length: STRING_CHARS_MAX }),
	stringOption("model", "option.model", { autocomplete: true }),
	integerOption("seed", "option.seed", { min_value: 0, max_value: SEED_MAX }),
	stringOption("style", "option.style", { max_length: STYLE_NAME_CHARS_MAX, autocomplete: true }),
	booleanOption("private", "option.private"),
	booleanOption(IMPROVE_OPTION, "option.improve"),
];
const IMAGE_OPTION_NAMES = ["image", "image2", "image3"] as const;
export const IMAGE_OPTIONS = IMAGE_OPTION_NAMES.map((name) =>
	attachmentOption(name, name === "image" ? "option.image" : "option.furtherImage"),
);

type ChosenOptions = Pick<SlashInteraction["options"], "get" | "getString">;

interface GenerationOptions {
	/** The options of the command, besides those that every media type has. */
	readonly options: readonly APIApplicationCommandBasicOption[];
	/** The names of the options that go to the model, as docs/studio-api.md names them. */
	readonly modelOptions: readonly string[];
}

/** Defines a generation command. */
export function generationCommand(mediaType: MediaType, { options, modelOptions }: GenerationOptions): Command {
	return defineSlashCommand(mediaType, {
		options: [...COMMON_OPTIONS, ...options],
		async execute(interaction, services) {
			const { options: chosen } = interaction;
			const reply = await deferGeneration(
				interaction,
				{
					privacy: privacyOf(chosen.getBoolean("private")),
					offersImprovedPrompt: chosen.getBoolean(IMPROVE_OPTION) ?? false,
				},
				services,
			);
			await startGeneration(interaction, reply, specOf(chosen, await attachedFiles(chosen)), services);
		},
		autocomplete: (interaction, services) =>
			autocomplete(interaction, services, specOf(interaction.options, attachedFileIds(interaction.options))),
	});

	function specOf(chosen: ChosenOptions, files: Pick<GenerationInput, "imageUrls" | "maskUrl">): GenerationSpec {
		const valueOf = (name: string): OptionValue | null => chosen.get(discordOptionName(name))?.value ?? null;
		const values = Object.fromEntries(modelOptions.map((name) => [name, valueOf(name)]));
		return {
			mediaType,
			model: chosen.getString("model"),
			input: { prompt: chosen.getString("prompt") ?? "", options: values, ...files },
			style: chosen.getString("style"),
			usesChannelDefaults: true,
		};
	}
}

function privacyOf(isPrivate: boolean | null): PrivacyChoice {
	if (isPrivate === null) return "default";
	return isPrivate ? "private" : "public";
}

async function attachedFiles(chosen: SlashInteraction["options"]) {
	const images = IMAGE_OPTION_NAMES.map((name) => chosen.getAttachment(name)).filter((image) => image !== null);
	const mask = chosen.getAttachment("mask");
	const imageUrls = await Promise.all(images.map(inputUrlOf));
	return { imageUrls, ...(mask && { maskUrl: await maskUrlOf(mask, images[0] ?? null) }) };
}

/** Returns the ids of the files that are attached so far, in place of their URLs: the selection of a model depends on their number. */
function attachedFileIds(chosen: ChosenOptions) {
	const idOf = (name: string): string | undefined => chosen.get(name)?.value?.toString();
	return { imageUrls: IMAGE_OPTION_NAMES.map(idOf).filter((id) => id !== undefined), maskUrl: idOf("mask") };
}
