/** Autocomplete of models, styles and option values. All but `autocomplete` itself is pure. */
import { moneyOf, type Money } from "../../i18n/money.ts";
import type { ApplicationCommandOptionChoiceData, AutocompleteInteraction } from "discord.js";
import type { MediaType, Model } from "@atelier/media-protocol/model";
import { priceOf } from "@atelier/media-protocol/price";
import type { RequestChannel } from "../../services/access/request-channel.ts";
import { choicesOf, defaultsOf } from "../../services/generation/request.ts";
import type { GuildSettings } from "../../services/settings/guild-settings.ts";
import { offeredModels, selectModel, type GenerationSpec } from "../../services/settings/select-model.ts";
import { searchStyles, styleChoiceLabel } from "../../services/settings/styles.ts";
import { UserError } from "../../services/user-error.ts";
import { t } from "../../i18n/messages.ts";
import type { CommandServices } from "../command-services.ts";
import type { InGuild } from "../framework/command.ts";
import { requestChannelOf } from "../framework/interaction-channel.ts";
import { CHOICE_CHARS_MAX, CHOICES_MAX } from "../../discord/card.ts";

interface Suggestion {
	readonly name: string;
	readonly value: string;
	/** Sorts unhealthy models last: higher is later. */
	readonly rank?: number;
}

/** The label and rank of unhealthy models. */
const UNHEALTHY = {
	degraded: { key: "choice.degraded", rank: 1 },
	down: { key: "choice.down", rank: 2 },
} as const;

/** Offers models with their prices, styles, and the values that the chosen model accepts for an option. */
export async function autocomplete(
	interaction: AutocompleteInteraction<InGuild>,
	{ catalog, settings }: CommandServices,
	spec: GenerationSpec,
): Promise<void> {
	const { mediaType } = spec;
	const focused = interaction.options.getFocused(true);
	const stored = await settings.read(interaction.guildId);
	if (focused.name === "style") return await interaction.respond(styleSuggestions(stored, mediaType, focused.value));
	let models = catalog.known(mediaType);
	let channel = requestChannelOf(interaction);
	if (channel.isAgeRestricted === undefined) {
		// A thread, and there is no time to ask: restricted models come last, and may be denied later.
		models = models.toSorted((one, other) => Number(one.ageRestricted) - Number(other.ageRestricted));
		channel = { ...channel, isAgeRestricted: true };
	}
	const format = { locale: interaction.locale, creditPrice: catalog.creditPrice };
	const suggestions =
		focused.name === "model"
			? modelSuggestions(offeredModels(models, stored, channel), focused.value, format)
			: optionSuggestions(modelFor(spec, models, stored, channel), focused, format);
	await interaction.respond(suggestions);
}

/** Returns the model that the command would use, without a style or a model that is unknown or not yet typed in full. */
function modelFor(
	spec: GenerationSpec,
	models: readonly Model[],
	settings: GuildSettings,
	channel: RequestChannel,
): Model | undefined {
	const withoutModel = { ...spec, model: null };
	const withoutStyle = { ...spec, style: null };
	for (const known of [spec, withoutModel, withoutStyle, { ...withoutStyle, model: null }]) {
		try {
			return selectModel(models, known, settings, channel).model;
		} catch (error) {
			if (!(error instanceof UserError)) throw error;
		}
	}
	return undefined;
}

interface SuggestionFormat {
	readonly locale: string;
	readonly creditPrice: Money | undefined;
}

/** Labels styles with their options; the style text is too long for a choice. */
export function styleSuggestions(
	settings: GuildSettings,
	mediaType: MediaType | null,
	typed: string,
): readonly ApplicationCommandOptionChoiceData<string>[] {
	return searchStyles(settings, mediaType, typed)
		.slice(0, CHOICES_MAX)
		.map((style) => ({ name: styleChoiceLabel(style, CHOICE_CHARS_MAX), value: style.name }));
}

/** Labels models with their prices. */
export function modelSuggestions(
	models: readonly Model[],
	typed: string,
	{ locale, creditPrice }: SuggestionFormat,
): readonly ApplicationCommandOptionChoiceData<string>[] {
	const suggestions = models.map((model) => {
		const costCredits = priceOf(model.price, defaultsOf(model));
		const money = moneyOf(costCredits, creditPrice);
		const unhealthy = model.health === "degraded" || model.health === "down" ? UNHEALTHY[model.health] : undefined;
		const health = unhealthy ? ` · ${t(locale, { key: unhealthy.key })}` : "";
		const priced = (name: string): string =>
			t(locale, { key: "choice.priced", params: { name, costCredits, money } }) + health;
		// Cuts a long name rather than the price and the health.
		const charsOver = Math.max(0, priced(model.name).length - CHOICE_CHARS_MAX);
		const name = priced(model.name.slice(0, model.name.length - charsOver));
		return { name, value: model.id, ...(unhealthy && { rank: unhealthy.rank }) };
	});
	return matchingSuggestions(suggestions, typed);
}

/** Returns the values that the model accepts for the focused option. */
export function optionSuggestions(
	model: Model | undefined,
	{ name: option, value: typed }: { readonly name: string; readonly value: string },
	{ locale, creditPrice }: SuggestionFormat,
): readonly ApplicationCommandOptionChoiceData<string>[] {
	if (!model) return [];
	const isPriced = option === "resolution" && Object.keys(model.price.resolutionFactors).length > 0;
	const schema = model.options[option];
	const suggestions = ((schema && choicesOf(model, option, schema)) ?? []).map((value) => {
		if (!isPriced) return { name: value, value };
		const costCredits = priceOf(model.price, { ...defaultsOf(model), [option]: value });
		const params = { name: value, costCredits, money: moneyOf(costCredits, creditPrice) };
		return { name: t(locale, { key: "choice.priced", params }), value };
	});
	return matchingSuggestions(suggestions, typed);
}

/** Sorts suggestions that start with the text before those that contain it, and unhealthy models last. */
function matchingSuggestions(suggestions: readonly Suggestion[], typed: string): Suggestion[] {
	const text = typed.trim().toLowerCase();
	const containsText = ({ name, value }: Suggestion): boolean =>
		name.toLowerCase().includes(text) || value.toLowerCase().includes(text);
	const startsWithText = ({ name, value }: Suggestion): boolean =>
		name.toLowerCase().startsWith(text) || value.toLowerCase().startsWith(text);
	return suggestions
		.filter((each) => containsText(each) && each.value !== "" && each.value.length <= CHOICE_CHARS_MAX)
		.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || Number(startsWithText(b)) - Number(startsWithText(a)))
		.slice(0, CHOICES_MAX)
		.map(({ name, value }) => ({ name: name.slice(0, CHOICE_CHARS_MAX), value }));
}
