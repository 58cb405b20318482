/** The page of the settings panel for the defaults of channels, its form, and the change that the form describes. No I/O. */
import { ComponentType } from "discord.js";
import { NO_DEFAULTS } from "@atelier/dashboard/server-settings";
import type { Model } from "@atelier/media-protocol/model";
import { row, text, type CardPart, CHOICE_CHARS_MAX, CHOICES_MAX } from "../../discord/card.ts";
import type { CommandMentions } from "../../discord/command-mentions.ts";
import { defineCustomId, idField } from "../../discord/custom-id.ts";
import { t } from "../../i18n/messages.ts";
import type { ModelCatalog } from "../../services/generation/model-catalog.ts";
import { takesPrompt } from "../../services/generation/request.ts";
import {
	changeChannelDefaults,
	channelDefaultsLines,
	type ChannelDefaults,
} from "../../services/settings/channel-defaults.ts";
import type { GuildSettings } from "../../services/settings/guild-settings.ts";
import { styleChoiceLabel } from "../../services/settings/styles.ts";
import { UserError } from "../../services/user-error.ts";
import { COMMAND_CHANNEL_TYPES } from "../../discord/channel-types.ts";
import { checksumField, editorParts, type DeniedChange } from "./setting-editor.ts";
import { formEditor } from "./form-editor.ts";
import { choiceField, choicesField, excludedChoicesField, optionalChoiceField } from "./value-fields.ts";
import { listedModels, MEDIA_TYPE_LABELS, modelMenuChoices } from "./setting-editors.ts";

/** Identifies the button and the form that it opens; the field is the id of the channel. */
export const channelDefaultsCustomId = defineCustomId("channel-defaults", {
	field: idField.snowflake,
	valueChecksum: checksumField,
});
export const channelPickCustomId = defineCustomId("channel-pick", {});

/** A message has at most 40 components. Each channel takes three, the rest of the panel fewer than 20. */
const CHANNELS_SHOWN = 7;
/** The choices for the visibility of results: the server's default, or a default of the channel. */
const PRIVACY_CHOICES = [
	{ value: "server", label: { key: "visibility.server" } },
	{ value: "private", label: { key: "visibility.private" } },
	{ value: "public", label: { key: "visibility.public" } },
] as const;
const RESULT_PLACE_CHOICES = [
	{ value: "reply", label: { key: "choice.resultInReply" } },
	{ value: "thread", label: { key: "choice.resultInThread" } },
] as const;

/**
 * Builds the parts of the page: a menu of channels, and the defaults of each channel that has some, the latest change first. A channel
 * whose change was denied comes before them, even without defaults.
 */
export function channelDefaultsParts(
	settings: GuildSettings,
	models: readonly Pick<Model, "id" | "name">[],
	denial: DeniedChange<string> | undefined,
	locale: string,
	commandMentions: CommandMentions,
): readonly CardPart[] {
	const { channelDefaults } = settings;
	const denied = denial ? [[denial.field, defaultsOf(settings, denial.field)] as const] : [];
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
			const editor = channelDefaultsEditor(channelId);
			const shown = { field: channelId, editor, settings, content: lines.join("\n"), denial };
			return editorParts(shown, channelDefaultsCustomId, locale, commandMentions);
		}),
		...(hidden > 0 ? [text(t(locale, { key: "settings.channelsMore", params: { count: hidden } }))] : []),
	];
}

/**
 * Returns the editor of the defaults of a channel. Its form throws a `UserError` while no models are known, and for two
 * models of one media type.
 */
export function channelDefaultsEditor(channelId: string) {
	return formEditor({
		name: { key: "field.defaultsOfChannel" },
		fields({ catalog }: { readonly catalog: Pick<ModelCatalog, "known"> }, settings) {
			const models = modelMenuChoices(listedModels(catalog, takesPrompt));
			return {
				models: choicesField({ key: "field.defaultModels" }, models, { key: "form.defaultModelsHint" }),
				style: optionalChoiceField(
					{ key: "field.defaultStyle" },
					{ key: "choice.noStyle" },
					styleMenuChoices(settings, defaultsOf(settings, channelId)),
				),
				privacy: choiceField({ key: "form.visibility" }, PRIVACY_CHOICES),
				off: excludedChoicesField({ key: "field.mediaAllowed" }, MEDIA_TYPE_LABELS),
				threads: choiceField({ key: "field.threads" }, RESULT_PLACE_CHOICES),
			};
		},
		formValuesOf(settings) {
			const { models, style, private: isPrivate, mediaOff, threads } = defaultsOf(settings, channelId);
			const visibility = isPrivate === true ? "private" : "public";
			return {
				models: Object.values(models),
				style,
				privacy: isPrivate === null ? "server" : visibility,
				off: mediaOff,
				threads: threads ? "thread" : "reply",
			};
		},
		apply(before, { models, style, privacy, off, threads }, { services }) {
			const listed = listedModels(services.catalog, takesPrompt);
			const chosen = listed.filter(({ id }) => models.includes(id));
			// Keeps the default models that the menu could not show, unless another one is chosen.
			const hidden = Object.entries(defaultsOf(before, channelId).models).filter(
				([, id]) => !listed.some((model) => model.id === id),
			);
			const pairs = [...hidden, ...chosen.map(({ mediaType, id }) => [mediaType, id] as const)];
			if (chosen.length > new Set(chosen.map(({ mediaType }) => mediaType)).size)
				throw new UserError({ key: "settings.oneModelPerMediaType" });
			return changeChannelDefaults(before, channelId, {
				models: Object.fromEntries(pairs),
				style,
				private: privacy === "server" ? null : privacy === "private",
				mediaOff: [...off],
				threads: threads === "thread",
			});
		},
	});
}

/** Lists the style of the channel first: a menu has no room for all of them, and a style that it does not show is lost. */
function styleMenuChoices({ styles }: GuildSettings, { style: stored }: ChannelDefaults) {
	return Object.entries(styles)
		.toSorted(([one], [other]) => Number(other === stored) - Number(one === stored))
		.slice(0, CHOICES_MAX - 1)
		.map(([name, style]) => ({ value: name, label: styleChoiceLabel({ name, ...style }, CHOICE_CHARS_MAX) }));
}

function defaultsOf({ channelDefaults }: GuildSettings, channelId: string): ChannelDefaults {
	return channelDefaults[channelId] ?? NO_DEFAULTS;
}
