/** Builds the request of a command or component with the settings of its server and channel. */
import type { MediaType, Model } from "@atelier/media-protocol/model";
import { isModelEnabled, type RequestChannel } from "../moderation/policy.ts";
import { applyStyle, applyStyleText, isModelCompatible, styleModelGoneError } from "../settings/apply-style.ts";
import { channelDefaultsIn, NO_DEFAULTS } from "../settings/channel-defaults.ts";
import type { GuildSettings } from "../settings/guild-settings.ts";
import { findStyle, requireStyle, type NamedStyle } from "../settings/styles.ts";
import { UnknownModelError, type ModelCatalog } from "./model-catalog.ts";
import type { PromptImprover } from "./prompt-improver.ts";
import { buildRequest, makesNew, type GenerationInput, type GenerationRequest } from "./request.ts";

/** The request of a member, before the settings of the server are applied. */
export interface GenerationSpec {
	readonly mediaType: MediaType;
	/** `null` chooses the first preferred model. */
	readonly model: string | null;
	/** The models that `null` prefers. If none matches, the first model is chosen, and its denial explains why. */
	readonly isPreferred?: (model: Model) => boolean;
	readonly inputFor: (model: Model) => GenerationInput;
	readonly style: string | null;
	/** True for slash commands: the defaults of the channel replace a model or style that the member did not choose. */
	readonly usesChannelDefaults?: boolean;
}

interface GuildRequestDeps {
	readonly catalog: ModelCatalog;
	readonly promptImprover: PromptImprover | undefined;
}

/** Builds the request with the settings and styles of the server, and with the defaults of the channel. */
export async function buildGuildRequest(
	spec: GenerationSpec,
	settings: GuildSettings,
	channel: RequestChannel,
	{ catalog, promptImprover }: GuildRequestDeps,
): Promise<GenerationRequest> {
	const { mediaType, isPreferred = makesNew, inputFor } = spec;
	const defaults = spec.usesChannelDefaults === true ? channelDefaultsIn(settings, channel.channelIds) : NO_DEFAULTS;
	const ownStyle = spec.style === null ? undefined : requireStyle(settings, mediaType, spec.style);
	// The style of a channel may be gone, or not fit the model that the member chose.
	const channelStyle = defaults.style === null ? undefined : findStyle(settings, mediaType, defaults.style);
	const preferredStyle = ownStyle ?? channelStyle;
	const choice = { model: spec.model, style: preferredStyle, channelModel: defaults.models[mediaType] };
	const model = await chooseModel(catalog, mediaType, choice, (each) => {
		return (
			isPreferred(each) &&
			isModelEnabled(settings, each, channel.isAgeRestricted) &&
			isModelCompatible(preferredStyle, each, inputFor(each))
		);
	});
	const input = inputFor(model);
	const style = ownStyle || isModelCompatible(channelStyle, model, input) ? preferredStyle : undefined;
	const request = buildRequest(model, applyStyle(style, model, input));
	const { creditPrice } = catalog;
	return {
		...request,
		prompt: applyStyleText(style, request.prompt),
		...(creditPrice && { creditPrice }),
		...(settings.media.promptInFiles && { isPromptInFiles: true }),
		...(settings.media.improvePrompts && promptImprover && { isImprovable: true }),
	};
}

/** Chooses the member's model, else that of the style, else that of the channel, else the first preferred one. */
async function chooseModel(
	catalog: ModelCatalog,
	mediaType: MediaType,
	choice: {
		readonly model: string | null;
		readonly style: NamedStyle | undefined;
		/** The default model of the channel; ignored if it is not preferred. */
		readonly channelModel: string | undefined;
	},
	isPreferred: (model: Model) => boolean,
): Promise<Model> {
	const chosenModelId = choice.model ?? choice.style?.model;
	const channelModel = catalog.known(mediaType).find((model) => model.id === choice.channelModel && isPreferred(model));
	try {
		return await catalog.choose(mediaType, chosenModelId ?? channelModel?.id ?? null, isPreferred);
	} catch (error) {
		const isUnknown = error instanceof UnknownModelError;
		throw isUnknown && choice.style && choice.model === null ? styleModelGoneError(choice.style) : error;
	}
}
