/** The page of the settings panel for the defaults of channels, its form, and the change that the form describes. Pure. */
import { ComponentType, type APILabelComponent, type ModalSubmitFields } from "discord.js";
import { MEDIA_TYPES, type MediaType, type Model } from "@atelier/media-protocol/model";
import { row, text, type CardPart, CHOICE_CHARS_MAX, CHOICES_MAX } from "../discord/card.ts";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import { mediaTypeName } from "../i18n/message-param-values.ts";
import { t } from "../i18n/messages.ts";
import { makesNew } from "../services/generation/request.ts";
import {
	channelDefaultsLines,
	NO_DEFAULTS,
	type ChannelDefaults,
	type ChannelDefaultsChange,
} from "../services/settings/channel-defaults.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import { styleChoiceLabel } from "../services/settings/apply-style.ts";
import { UserError } from "../services/user-error.ts";
import { COMMAND_CHANNEL_TYPES } from "../discord/channel-types.ts";
import { checksumField, settingParts, type DeniedChange } from "./framework/panel.ts";
import { choiceOfMany, choiceOfOne, chosenValues, labelFor } from "./framework/form-fields.ts";

/** Identifies the button and the form that it opens; the field is the id of the channel. */
export const channelDefaultsCustomId = defineCustomId("channel-defaults", {
	field: idField.snowflake,
	shown: checksumField,
});
export const channelPickCustomId = defineCustomId("channel-pick", {});

/** A message has at most 40 components. Each channel takes three, the rest of the panel fewer than 20. */
const CHANNELS_SHOWN = 7;
/** No style can have this name: names begin with a letter or digit. */
const NO_STYLE = "-";
/** The choices for the visibility of results: the server's default, or a default of the channel. */
const PRIVACY = ["server", "private", "public"] as const;

type Catalog = readonly Pick<Model, "id" | "name">[];

/**
 * Builds the parts of the page: a menu of channels, and the defaults of each channel that has some, the latest change first. A channel
 * whose change was denied comes before them, even without defaults.
 */
export function channelDefaultsParts(
	{ channelDefaults }: GuildSettings,
	models: Catalog,
	denial: DeniedChange<string> | undefined,
	locale: string,
): readonly CardPart[] {
	const denied = denial ? [[denial.field, channelDefaults[denial.field] ?? NO_DEFAULTS] as const] : [];
	const others = Object.entries(channelDefaults).filter(([channelId]) => channelId !== denial?.field);
	const entries = [...denied, ...others.toReversed()];
	const hidden = entries.length - CHANNELS_SHOWN;
	const modelNameOf = (id: string): string => models.find((model) => model.id === id)?.name ?? id;
	return [
		text(t(locale, { key: "settings.channelsLead" })),
		row({
			type: ComponentType.ChannelSelect,
			custom_id: channelPickCustomId.encode({}),
			placeholder: t(locale, { key: "form.channelPlaceholder" }),
			channel_types: [...COMMAND_CHANNEL_TYPES],
		}),
		...entries.slice(0, CHANNELS_SHOWN).flatMap(([channelId, defaults]) => {
			const lines = channelDefaultsLines(channelId, defaults, modelNameOf).map((line) => t(locale, line));
			const setting = { field: channelId, value: channelDefaults[channelId] };
			return settingParts(lines.join("\n"), setting, channelDefaultsCustomId, denial, locale);
		}),
		...(hidden > 0 ? [text(t(locale, { key: "settings.channelsMore", params: { count: hidden } }))] : []),
	];
}

/** Builds the fields of the form for the defaults of a channel. Denies it while no models are known. */
export function channelDefaultsFields(
	channelId: string,
	settings: GuildSettings,
	models: readonly Model[],
	locale: string,
): readonly APILabelComponent[] {
	const defaults = settings.channelDefaults[channelId] ?? NO_DEFAULTS;
	const label = labelFor(locale);
	const offered = models.filter(makesNew);
	if (offered.length === 0) throw new UserError({ key: "service.down" });
	const modelChoices = offered.map(({ id, name }) => ({ value: id, label: name.slice(0, CHOICE_CHARS_MAX) }));
	const isStored = ([name]: readonly [string, unknown]): boolean => name === defaults.style;
	const styles = Object.entries(settings.styles)
		// A menu shows only the first ones, and a style that it does not show is lost.
		.toSorted((one, other) => Number(isStored(other)) - Number(isStored(one)))
		.map(([name, style]) => ({ value: name, label: styleChoiceLabel({ name, ...style }, CHOICE_CHARS_MAX) }));
	const noStyle = { value: NO_STYLE, label: t(locale, { key: "choice.noStyle" }) };
	const privacy = PRIVACY.map((value) => ({ value, label: t(locale, { key: PRIVACY_LABEL_KEYS[value] }) }));
	const resultPlaces = (["reply", "thread"] as const).map((value) => ({
		value,
		label: t(locale, { key: RESULT_PLACE_LABEL_KEYS[value] }),
	}));
	const media = MEDIA_TYPES.map((value) => ({ value, label: t(locale, mediaTypeName(value)) }));
	return [
		label({ key: "field.defaultModels" }, choiceOfMany("models", modelChoices, Object.values(defaults.models)), {
			key: "form.defaultModelsHint",
		}),
		label({ key: "field.defaultStyle" }, choiceOfOne("style", [noStyle, ...styles], defaults.style ?? NO_STYLE)),
		label({ key: "form.visibility" }, choiceOfOne("privacy", privacy, privacyOf(defaults))),
		label({ key: "field.mediaOff" }, choiceOfMany("off", media, defaults.mediaOff)),
		label({ key: "field.threads" }, choiceOfOne("threads", resultPlaces, defaults.threads ? "thread" : "reply")),
	];
}

const PRIVACY_LABEL_KEYS = {
	server: "choice.privacyServer",
	private: "choice.privacyPrivate",
	public: "choice.privacyPublic",
} as const;

const RESULT_PLACE_LABEL_KEYS = { reply: "choice.resultInReply", thread: "choice.resultInThread" } as const;

function privacyOf({ private: isPrivate }: ChannelDefaults): (typeof PRIVACY)[number] {
	if (isPrivate === null) return "server";
	return isPrivate ? "private" : "public";
}

/** Reads a submitted form. Denies two models of one media type. */
export function readChannelDefaultsForm(
	fields: ModalSubmitFields,
	before: ChannelDefaults,
	models: readonly Model[],
): ChannelDefaultsChange {
	const offered = models.filter(makesNew).slice(0, CHOICES_MAX);
	const chosen = offered.filter(({ id }) => chosenValues(fields, "models").includes(id));
	// Keeps the default models that the menu could not show, unless another one is chosen.
	const hidden = Object.entries(before.models).filter(([, id]) => !offered.some((model) => model.id === id));
	const pairs = [...hidden, ...chosen.map(({ mediaType, id }) => [mediaType, id] as const)];
	const modelsByMediaType = Object.fromEntries(pairs) as Partial<Record<MediaType, string>>;
	if (chosen.length > new Set(chosen.map(({ mediaType }) => mediaType)).size)
		throw new UserError({ key: "settings.oneModelPerMediaType" });
	const [style = NO_STYLE] = chosenValues(fields, "style");
	const [privacy = "server"] = chosenValues(fields, "privacy");
	const chosenMediaOff = chosenValues(fields, "off");
	return {
		models: modelsByMediaType,
		style: style === NO_STYLE ? null : style,
		private: privacy === "server" ? null : privacy === "private",
		mediaOff: MEDIA_TYPES.filter((mediaType) => chosenMediaOff.includes(mediaType)),
		threads: chosenValues(fields, "threads").includes("thread"),
	};
}
