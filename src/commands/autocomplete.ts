/** Choices while a member types: pure over what the catalogue knows. */
import type { ApplicationCommandOptionChoiceData, AutocompleteInteraction } from "discord.js";
import type { MediaType, Model } from "@atelier/media-protocol/model";
import { choicesOf as valuesOf, costOf, defaultsOf, makesNew } from "../services/generation/request.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import { isModelEnabled } from "../services/moderation/policy.ts";
import { styleChoiceLabel } from "../services/settings/apply-style.ts";
import { findStyle, searchStyles } from "../services/settings/styles.ts";
import { say } from "../i18n/messages.ts";
import type { Services } from "./command.ts";
import { channelContextOf } from "./channel-context.ts";

const CHOICES_MAX = 25;
const CHOICE_CHARS_MAX = 100;

interface Choice {
	readonly name: string;
	readonly value: string;
	/** Of a model that the service lists as ill; the higher, the later. */
	readonly illness?: number;
}

/** What is said of a model's health, and how far back it stands. */
const ILLNESSES = {
	degraded: { key: "choiceDegraded", illness: 1 },
	down: { key: "choiceDown", illness: 2 },
} as const;

/** Answers what is being typed: models with their prices, and of an option what the chosen model takes. */
export async function autocomplete(
	interaction: AutocompleteInteraction,
	{ catalogue, settings }: Services,
	mediaType: MediaType,
): Promise<void> {
	const { guildId } = interaction;
	const { name, value } = interaction.options.getFocused(true);
	// What cannot be used in this place is not offered.
	const decided = guildId === null ? undefined : await settings.read(guildId);
	if (name === "style") {
		await interaction.respond(decided ? styleChoices(decided, mediaType, value) : []);
		return;
	}
	const { isAgeRestricted = false } = channelContextOf(interaction);
	const models = catalogue
		.known(mediaType)
		.filter((each) => makesNew(each) && (!decided || isModelEnabled(decided, each, isAgeRestricted)));
	const style = interaction.options.getString("style");
	const ofStyle = decided && style !== null ? findStyle(decided, mediaType, style)?.model : undefined;
	const chosen = interaction.options.getString("model") ?? ofStyle ?? null;
	await interaction.respond(choicesOf(models, { name, value }, chosen, interaction.locale));
}

/** Of the models themselves, or of what the chosen one takes, or else the first. */
export function choicesOf(
	models: readonly Model[],
	{ name, value }: { readonly name: string; readonly value: string },
	chosenId: string | null,
	locale: string,
): readonly ApplicationCommandOptionChoiceData<string>[] {
	const chosen = chosenId?.toLowerCase();
	const model = models.find(({ id }) => id.toLowerCase() === chosen) ?? models[0];
	return matching(name === "model" ? modelChoices(models, locale) : optionChoices(model, name, locale), value);
}

/** Each with the options that it has; its words have no room. */
export function styleChoices(
	settings: GuildSettings,
	mediaType: MediaType | null,
	typed: string,
): readonly ApplicationCommandOptionChoiceData<string>[] {
	return searchStyles(settings, mediaType, typed)
		.slice(0, CHOICES_MAX)
		.map((style) => ({ name: styleChoiceLabel(style, CHOICE_CHARS_MAX), value: style.name }));
}

function modelChoices(models: readonly Model[], locale: string): readonly Choice[] {
	return models.map((model) => {
		const costCredits = costOf(model, defaultsOf(model));
		const ill = model.health === "degraded" || model.health === "down" ? ILLNESSES[model.health] : undefined;
		const health = ill ? ` · ${say(locale, { key: ill.key })}` : "";
		const priced = (name: string): string =>
			say(locale, { key: "choicePriced", params: { name, costCredits } }) + health;
		// A long name is cut rather than what it costs and how it does.
		const charsOver = Math.max(0, priced(model.name).length - CHOICE_CHARS_MAX);
		const name = priced(model.name.slice(0, model.name.length - charsOver));
		return { name, value: model.id, ...(ill && { illness: ill.illness }) };
	});
}

function optionChoices(model: Model | undefined, option: string, locale: string): readonly Choice[] {
	if (!model) return [];
	const isPriced = option === "resolution" && Object.keys(model.price.resolutionFactors).length > 0;
	const schema = model.options[option];
	return ((schema && valuesOf(model, option, schema)) ?? []).map((value) => {
		if (!isPriced) return { name: value, value };
		const costCredits = costOf(model, { ...defaultsOf(model), [option]: value });
		return { name: say(locale, { key: "choicePriced", params: { name: value, costCredits } }), value };
	});
}

/** What starts with the typed text first, then what has it anywhere; what is ill last. */
function matching(choices: readonly Choice[], typed: string): Choice[] {
	const text = typed.trim().toLowerCase();
	const has = ({ name, value }: Choice): boolean =>
		name.toLowerCase().includes(text) || value.toLowerCase().includes(text);
	const starts = ({ name, value }: Choice): boolean =>
		name.toLowerCase().startsWith(text) || value.toLowerCase().startsWith(text);
	return choices
		.filter((choice) => has(choice) && choice.value !== "" && choice.value.length <= CHOICE_CHARS_MAX)
		.toSorted((a, b) => (a.illness ?? 0) - (b.illness ?? 0) || Number(starts(b)) - Number(starts(a)))
		.slice(0, CHOICES_MAX)
		.map(({ name, value }) => ({ name: name.slice(0, CHOICE_CHARS_MAX), value }));
}
