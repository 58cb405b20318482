/** Selects the model and the style of a generation. No I/O. */
import type { MediaType, Model } from "@atelier/media-protocol/model";
import { NO_DEFAULTS } from "@atelier/dashboard/server-settings";
import type { RequestChannel } from "../access/request-channel.ts";
import { UserError } from "../user-error.ts";
import { findModel } from "../generation/model-catalog.ts";
import { acceptsFiles, hasOperation, takesPrompt, type GenerationInput } from "../generation/request.ts";
import { isModelEnabled } from "./server-policy.ts";
import { findStyle, isModelCompatible, type NamedStyle, requireStyle, styleModelGoneError } from "./styles.ts";
import { channelDefaultsIn } from "./channel-defaults.ts";
import type { GuildSettings } from "./guild-settings.ts";

/** A generation as its member asked for it, before the settings of the server are applied. */
export interface GenerationSpec {
	readonly mediaType: MediaType;
	/** `null` selects a model that accepts the input. */
	readonly model: string | null;
	readonly input: GenerationInput;
	readonly style: string | null;
	/** True for slash commands: the defaults of the channel replace a model or style that the member did not choose. */
	readonly usesChannelDefaults?: boolean;
}

/** Returns the models that members may name in a channel. */
export function offeredModels(
	models: readonly Model[],
	settings: GuildSettings,
	channel: Pick<RequestChannel, "isAgeRestricted">,
): readonly Model[] {
	return models.filter((model) => takesPrompt(model) && isModelEnabled(settings, model, channel));
}

interface SelectionContext {
	readonly settings: GuildSettings;
	readonly channel: RequestChannel;
}

/**
 * Selects the model that the member named, else that of the style, else that of the channel, else the first one. The last two
 * must be enabled and accept the input and the style. If none does, selects one whose denial says what it accepts. Throws a
 * `UserError` for an unknown model or style.
 */
export function selectModel(
	models: readonly Model[],
	{ mediaType, model: requested, style: requestedStyle, input, usesChannelDefaults = false }: GenerationSpec,
	settings: GuildSettings,
	channel: RequestChannel,
): { readonly model: Model; readonly style: NamedStyle | undefined } {
	const [first] = models;
	if (!first) throw new UserError({ key: "request.noModel", params: { mediaType }, remedy: "help" });
	const context = { settings, channel };
	const defaults = usesChannelDefaults ? channelDefaultsIn(settings, channel.channelIds) : NO_DEFAULTS;
	const ownStyle = requestedStyle === null ? undefined : requireStyle(settings, mediaType, requestedStyle);
	const requestedModel = requested === null ? undefined : findModel(models, requested);
	// The style of a channel may have been removed.
	const channelStyle = defaults.style === null ? undefined : findStyle(settings, mediaType, defaults.style);
	const style = ownStyle ?? usableStyle(channelStyle, requestedModel, models, input, context);
	const suitable = suitableModels(models, input, style, context);
	const model =
		requestedModel ??
		modelOfStyle(models, style) ??
		suitable.find(({ id }) => id === defaults.models[mediaType]) ??
		suitable[0] ??
		models.find(takesPrompt) ??
		first;
	return { model, style };
}

/**
 * Leaves out the style of a channel if it does not fit the model that the member named, or else if its model is gone, off, or
 * does not accept the input: the member did not choose it.
 */
function usableStyle(
	style: NamedStyle | undefined,
	requestedModel: Model | undefined,
	models: readonly Model[],
	input: GenerationInput,
	context: SelectionContext,
): NamedStyle | undefined {
	const candidates = requestedModel
		? [requestedModel]
		: suitableModels(models, input, undefined, context).filter(({ id }) => id === (style?.model ?? id));
	return candidates.some((model) => isModelCompatible(style, model, input)) ? style : undefined;
}

function modelOfStyle(models: readonly Model[], style: NamedStyle | undefined): Model | undefined {
	if (style === undefined || style.model === null) return undefined;
	const model = models.find(({ id }) => id === style.model);
	if (!model) throw styleModelGoneError(style);
	return model;
}

/** Returns the enabled models that accept the input and the style. If none accepts the files, returns those that accept others. */
function suitableModels(
	models: readonly Model[],
	input: GenerationInput,
	style: NamedStyle | undefined,
	{ settings, channel }: SelectionContext,
): readonly Model[] {
	const enabled = models.filter((model) => isModelEnabled(settings, model, channel));
	const fitting = enabled.filter((model) => hasOperation(model, input) && isModelCompatible(style, model, input));
	const accepting = fitting.filter((model) => acceptsFiles(model, input));
	return accepting.length > 0 ? accepting : fitting;
}
