import { z } from "zod";
import { remoteSettings, type EngineKind } from "../engine-factory.ts";
import { createJobEngine, LOOK_EVERY_MS } from "../job-engine.ts";
import { checkFields, orderFields, type OrderFields } from "../request-mapping.ts";
import { bearer, createServiceCaller } from "../http-client.ts";
import { aceStepJob } from "./ace-step-adapter.ts";

const CALL_TIMEOUT_MS = 30_000;

const settings = z.strictObject(remoteSettings);
const serving = z.strictObject(orderFields);

/** The options of every ACE-Step model, under the studio's names. */
const USUAL_FIELDS: OrderFields = {
	duration: "audio_duration",
	lyrics: "lyrics",
	seed: "seed",
	bpm: "bpm",
	key: "key_scale",
	language: "vocal_language",
};

/** ACE-Step 1.5: music on one's own hardware. */
export const aceStepKind: EngineKind<z.infer<typeof settings>, z.infer<typeof serving>> = {
	kind: "ace-step",
	settings,
	serving,
	ownModels: [],
	async open(entry, { clock, logger, fault }) {
		const { name, settings: given, secret } = entry;
		const models = entry.models.map((served) => {
			const { model, place } = served;
			if (model.mediaType !== "music") fault(place, "expected a model that makes music");
			const usual = Object.entries(USUAL_FIELDS).filter(([option]) => option in model.options);
			const fields = { ...Object.fromEntries(usual), ...served.serving.fields };
			checkFields(fields, model, (option, message) => fault(`${place}.fields.${option}`, message));
			if (Object.values(model.options).some(({ type }) => type === "array")) {
				fault(place, "expected no option with media to start from");
			}
			return { ...served, serving: { ...served.serving, fields } };
		});
		const caller = createServiceCaller({
			url: given.url,
			headers: bearer(secret),
			timeoutMs: CALL_TIMEOUT_MS,
			clock,
		});
		const polling = { isPaid: false, lookEveryMs: LOOK_EVERY_MS.music, clock, logger };
		return createJobEngine({ ...entry, models }, polling, (task, { model, serving: order }) =>
			aceStepJob({ name, caller, clock, logger }, { ...order, model }, task),
		);
	},
};
