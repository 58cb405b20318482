import { z } from "zod";
import { remoteSettings, type EngineKind } from "../engine-factory.ts";
import { UPSCALE_SCENE } from "../engine.ts";
import { createJobEngine } from "../job-engine.ts";
import { checkFields, orderFields, type OrderFields } from "../request-mapping.ts";
import { createServiceCaller } from "../http-client.ts";
import { aiHordeJob } from "./ai-horde-adapter.ts";

const CALL_TIMEOUT_MS = 30_000;
/** The horde's anonymous key, which has the lowest priority. */
const ANONYMOUS = "0000000000";
const SIDE_STEP = 64;

const settings = z.strictObject({
	...remoteSettings,
	url: remoteSettings.url.default("https://aihorde.net/api/v2"),
	/** The contact for the horde's administrators. */
	contact: z
		.string()
		.regex(/^[\x21-\x7e]{1,100}$/, { error: "expected an address of yours, without blanks" })
		.default("unknown"),
});
const serving = z.strictObject({
	...orderFields,
	/** Names as in `GET /status/models`; the horde uses any of them. */
	models: z.array(z.string().min(1)).min(1),
	/** How far an image may differ from its input image. */
	denoisingStrength: z.number().min(0.01).max(1).default(0.6),
});

const USUAL_FIELDS: OrderFields = {
	seed: { field: "params.seed", as: "text" },
	negative_prompt: "negative_prompt",
	image_input: "source_image",
};

/** AI Horde: images by volunteers, without a GPU and without an account. */
export const aiHordeKind: EngineKind<z.infer<typeof settings>, z.infer<typeof serving>> = {
	kind: "ai-horde",
	settings,
	serving,
	ownModels: [],
	async open(entry, { clock, logger, fault, downloadFor }) {
		const { name, settings: given, secret = ANONYMOUS } = entry;
		const models = entry.models.map((served) => {
			const { model, place } = served;
			if (model.mediaType !== "image") fault(place, "expected a model that makes images");
			if (model.scenes.includes(UPSCALE_SCENE)) {
				fault(place, "expected another engine for upscale: this one only generates new images");
			}
			const usual = Object.entries(USUAL_FIELDS).filter(([option]) => option in model.options);
			const fields = { ...Object.fromEntries(usual), ...served.serving.fields };
			checkFields(fields, model, (option, message) => fault(`${place}.fields.${option}`, message));
			for (const side of sidesIn({ ...served.serving.input, fields })) {
				if (side % SIDE_STEP !== 0) fault(place, `expected widths and heights in steps of ${SIDE_STEP}, not ${side}`);
			}
			return { ...served, serving: { ...served.serving, fields } };
		});
		const caller = createServiceCaller({
			url: given.url,
			headers: { apikey: secret, "client-agent": `Atelier:1:${given.contact}` },
			timeoutMs: CALL_TIMEOUT_MS,
			clock,
		});
		const download = downloadFor(caller.origin);
		return createJobEngine({ ...entry, models }, { isPaid: false, clock, logger }, (task, { model, serving: order }) =>
			aiHordeJob({ name, caller, download, clock, logger }, { ...order, model }, task),
		);
	},
};

/** Returns every width and height that a request may have. */
function sidesIn(value: unknown): readonly number[] {
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) =>
		/(^|\.)(width|height)$/.test(key) && typeof inner === "number" ? [inner] : sidesIn(inner),
	);
}
