import { z } from "zod";
import { remoteSettings, type EngineKind } from "../engine-factory.ts";
import { UPSCALE_SCENE, type Model } from "../engine.ts";
import { createOpenAiImagesEngine } from "./openai-images-engine.ts";

const settings = z.strictObject({
	...remoteSettings,
	/** Timeout of a generation, because the response contains the image. Node.js limits it to 300. */
	timeoutSeconds: z.int().min(1).max(290).default(180),
	/** The reaction to a request with unknown outcome, which may have been billed. */
	whenUnknown: z.enum(["fail", "sendAgain"]).default("fail"),
});

const serving = z.strictObject({
	/** The model's name at the service. */
	model: z.string().min(1),
	/** Sizes by ratio, or by ratio and resolution, such as "16:9/2K". */
	sizes: z
		.record(z.string(), z.string().regex(/^(auto|\d+x\d+)$/, { error: "expected a size such as 1024x1024" }))
		.default({}),
	/** Maps options to the service's parameters. */
	parameters: z.record(z.string(), z.string().min(1)).default({}),
	/** Parameters of every request, such as `{"quality": "high"}`. */
	always: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
});

/** Options with a field of their own in the request. */
const OF_THE_REQUEST = ["aspect_ratio", "resolution", "n"];

/** Services with OpenAI's images API: https://platform.openai.com/docs/api-reference/images. */
export const openAiImagesKind: EngineKind<z.infer<typeof settings>, z.infer<typeof serving>> = {
	kind: "openai-images",
	settings,
	serving,
	ownModels: [],
	async open(entry, { clock, fault, downloadFor }) {
		for (const { model, serving: served, place } of entry.models) {
			if (model.mediaType !== "image") fault(place, "expected another engine: this one makes images alone");
			if (model.scenes.includes(UPSCALE_SCENE)) fault(place, NO_UPSCALE);
			for (const key of sizeKeysOf(model)) {
				if (!Object.hasOwn(served.sizes, key)) fault(`${place}.sizes`, `expected a size for "${key}"`);
			}
			for (const [option, { type }] of Object.entries(model.options)) {
				if (type === "array" || OF_THE_REQUEST.includes(option) || Object.hasOwn(served.parameters, option)) continue;
				fault(`${place}.parameters.${option}`, "expected what the service calls it, or no such option of the model");
			}
		}
		return createOpenAiImagesEngine(entry, { clock, download: downloadFor(new URL(entry.settings.url).origin) });
	},
};

const NO_UPSCALE = "expected another engine for upscale: this one only generates new images";

/** Returns every size that can be requested. */
function sizeKeysOf({ options }: Model): readonly string[] {
	const wordsOf = (name: string): readonly string[] => {
		const option = options[name];
		return option?.type === "string" && "enum" in option ? option.enum : [];
	};
	const resolutions = wordsOf("resolution");
	return wordsOf("aspect_ratio").flatMap((ratio) =>
		resolutions.length === 0 ? [ratio] : resolutions.map((resolution) => `${ratio}/${resolution}`),
	);
}
