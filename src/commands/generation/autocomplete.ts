/** Autocomplete of models, styles and option values. All but `autocomplete` itself is pure. */
import type { Money } from "../../i18n/money.ts";
import { moneyOf } from "../../services/credits/credit-price.ts";
import type { ApplicationCommandOptionChoiceData, AutocompleteInteraction } from "discord.js";
import type { MediaType, Model } from "@atelier/media-protocol/model";
import { choicesOf, defaultsOf, makesNew } from "../../services/generation/request.ts";
import { priceOf } from "@atelier/media-protocol/price";
import type { GuildSettings } from "../../services/settings/guild-settings.ts";
import { isModelEnabled } from "../../services/moderation/policy.ts";
import { styleChoiceLabel } from "../../services/settings/apply-style.ts";
import { channelIdsOf } from "../../services/access/authorization.ts";
import { channelDefaultsIn } from "../../services/settings/channel-defaults.ts";
import { findStyle, searchStyles } from "../../services/settings/styles.ts";
import { t } from "../../i18n/messages.ts";
import type { GuildSettingsStore } from "../../services/settings/guild-settings.ts";
import type { ModelCatalog } from "../../services/generation/model-catalog.ts";
import type { InGuild } from "../framework/command.ts";
import { channelContextOf } from "../framework/channel-context.ts";
import { CHOICE_CHARS_MAX, CHOICES_MAX } from "../../discord/card.ts";

interface Choice {
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
	{ catalog, settings }: { readonly catalog: ModelCatalog; readonly settings: Pick<GuildSettingsStore, "read"> },
	mediaType: MediaType,
): Promise<void> {
	const { name, value } = interaction.options.getFocused(true);
	const stored = await settings.read(interaction.guildId);
	if (name === "style") return await interaction.respond(styleChoices(stored, mediaType, value));
	const channel = channelContextOf(interaction);
	const defaults = channelDefaultsIn(stored, channelIdsOf(channel));
	const models = catalog
		.known(mediaType)
		.filter((each) => makesNew(each) && isModelEnabled(stored, each, channel.isAgeRestricted ?? true));
	// Unknown in threads, and there is no time to ask: restricted models come last, and may be denied later.
	if (channel.isAgeRestricted === undefined)
		models.sort((one, other) => Number(one.ageRestricted) - Number(other.ageRestricted));
	const style = interaction.options.getString("style") ?? defaults.style;
	const modelOfStyle = style === null ? undefined : findStyle(stored, mediaType, style)?.model;
	const chosenModelId = interaction.options.getString("model") ?? modelOfStyle ?? defaults.models[mediaType] ?? null;
	const { creditPrice } = catalog;
	await interaction.respond(
		focusedOptionChoices(models, { name, value }, chosenModelId, { locale: interaction.locale, creditPrice }),
	);
}

interface ChoiceFormat {
	readonly locale: string;
	readonly creditPrice: Money | undefined;
}

/** Returns the models, or the values that the chosen model, by default the first one, accepts for the option. */
export function focusedOptionChoices(
	models: readonly Model[],
	{ name, value }: { readonly name: string; readonly value: string },
	chosenId: string | null,
	format: ChoiceFormat,
): readonly ApplicationCommandOptionChoiceData<string>[] {
	const chosen = chosenId?.toLowerCase();
	const model = models.find(({ id }) => id.toLowerCase() === chosen) ?? models[0];
	return matchingChoices(name === "model" ? modelChoices(models, format) : optionChoices(model, name, format), value);
}

/** Labels styles with their options; the style text is too long for a choice. */
export function styleChoices(
	settings: GuildSettings,
	mediaType: MediaType | null,
	typed: string,
): readonly ApplicationCommandOptionChoiceData<string>[] {
	return searchStyles(settings, mediaType, typed)
		.slice(0, CHOICES_MAX)
		.map((style) => ({ name: styleChoiceLabel(style, CHOICE_CHARS_MAX), value: style.name }));
}

function modelChoices(models: readonly Model[], { locale, creditPrice }: ChoiceFormat): readonly Choice[] {
	return models.map((model) => {
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
}

function optionChoices(
	model: Model | undefined,
	option: string,
	{ locale, creditPrice }: ChoiceFormat,
): readonly Choice[] {
	if (!model) return [];
	const isPriced = option === "resolution" && Object.keys(model.price.resolutionFactors).length > 0;
	const schema = model.options[option];
	return ((schema && choicesOf(model, option, schema)) ?? []).map((value) => {
		if (!isPriced) return { name: value, value };
		const costCredits = priceOf(model.price, { ...defaultsOf(model), [option]: value });
		const params = { name: value, costCredits, money: moneyOf(costCredits, creditPrice) };
		return { name: t(locale, { key: "choice.priced", params }), value };
	});
}

/** Sorts choices that start with the text before those that contain it, and unhealthy models last. */
function matchingChoices(choices: readonly Choice[], typed: string): Choice[] {
	const text = typed.trim().toLowerCase();
	const containsText = ({ name, value }: Choice): boolean =>
		name.toLowerCase().includes(text) || value.toLowerCase().includes(text);
	const startsWithText = ({ name, value }: Choice): boolean =>
		name.toLowerCase().startsWith(text) || value.toLowerCase().startsWith(text);
	return choices
		.filter((choice) => containsText(choice) && choice.value !== "" && choice.value.length <= CHOICE_CHARS_MAX)
		.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || Number(startsWithText(b)) - Number(startsWithText(a)))
		.slice(0, CHOICES_MAX)
		.map(({ name, value }) => ({ name: name.slice(0, CHOICE_CHARS_MAX), value }));
}
