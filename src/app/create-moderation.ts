import type { Config } from "../config/load-config.ts";
import { createWithheldPoster } from "../discord/withheld-buttons.ts";
import { createPromptReviewer } from "../services/moderation/prompt-reviewer.ts";
import type { ModerationClient } from "../services/moderation/moderation-client.ts";
import { createModerationHook } from "../services/moderation/moderation-hook.ts";
import { createOpenAiModeration } from "../services/moderation/openai-moderation.ts";
import { createResultReviewer } from "../services/moderation/result-reviewer.ts";
import { createWithheldNotices } from "../services/moderation/withheld-results.ts";
import type { BotContext } from "./bot-context.ts";
import type { DeliveryFeature } from "./create-delivery.ts";
import type { GalleryFeature } from "./create-gallery.ts";
import type { SettingsFeature } from "./create-settings.ts";

interface ModerationDeps {
	readonly settingsFeature: SettingsFeature;
	readonly deliveryFeature: Pick<DeliveryFeature, "frames" | "results">;
	readonly galleryFeature: Pick<GalleryFeature, "filePoster">;
}

export type ModerationFeature = ReturnType<typeof createModerationFeature>;

/** Builds the judgment of prompts and results by the operator's moderation service, if there is one, and the notices about withheld results. */
export function createModerationFeature(
	{ config }: BotContext,
	{ deliveryFeature, galleryFeature, ...deps }: ModerationDeps,
) {
	const { settings, channels, languages } = deps.settingsFeature;
	const { frames, results } = deliveryFeature;
	const moderationClient = moderationClientOf(config);
	const failure = config.MODERATION_FAILURE;
	const withheldPoster = createWithheldPoster(galleryFeature.filePoster);
	return {
		/** `undefined` without a moderation service, as is `resultReviewer`. */
		promptReviewer: moderationClient && createPromptReviewer({ moderationClient, failure }),
		resultReviewer:
			moderationClient && createResultReviewer({ moderationClient, failure, frames, results, settings, channels }),
		withheldNotices: createWithheldNotices({ results, settings, languages, withheldPoster }),
	};
}

function moderationClientOf(config: Config): ModerationClient | undefined {
	const { MODERATION_URL: url, MODERATION_API_KEY: apiKey, MODERATION_KIND, MODERATION_MODEL: model } = config;
	if (url === undefined) return undefined;
	return MODERATION_KIND === "openai"
		? createOpenAiModeration({ url, apiKey, model })
		: createModerationHook({ url, apiKey });
}
