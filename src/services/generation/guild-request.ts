/** Builds the request of a command or component with the settings of its server and channel. No I/O. */
import type { Model } from "@atelier/media-protocol/model";
import type { RequestChannel } from "../access/request-channel.ts";
import { applyStyle, applyStyleText } from "../settings/styles.ts";
import type { GuildSettings } from "../settings/settings-schema.ts";
import type { GenerationSpec } from "./generation-spec.ts";
import { buildRequest, type GenerationRequest } from "./request.ts";
import { selectModel } from "./select-model.ts";

interface GuildContext {
	readonly settings: GuildSettings;
	readonly channel: RequestChannel;
	/** The models of the media type. */
	readonly models: readonly Model[];
}

/** Throws a `UserError` for a request that its model does not accept. */
export function buildGuildRequest(
	spec: GenerationSpec,
	{ settings, channel, models }: GuildContext,
): GenerationRequest {
	const { model, style } = selectModel(models, spec, settings, channel);
	const request = buildRequest(model, applyStyle(style, model, spec.input));
	return { ...request, prompt: applyStyleText(style, request.prompt) };
}
