import { z } from "zod";
import { remoteSettings, type EngineKind } from "../engine-kind.ts";
import { createJobEngine, LOOK_EVERY_MS } from "../job-engine.ts";
import { createJobRunner } from "../job-runner.ts";
import { checkFields, checkScenes, orderFields, perScene } from "../order-fields.ts";
import { createServiceCaller } from "../service-call.ts";
import { replicateJob } from "./replicate-job.ts";

const CALL_TIMEOUT_MS = 60_000;

const settings = z.strictObject({ ...remoteSettings, url: remoteSettings.url.default("https://api.replicate.com/v1") });
const model = z.string().regex(/^[\w.-]+\/[\w.-]+(:[0-9a-f]{64})?$/, {
	error: "expected the name of a model, such as black-forest-labs/flux-schnell, or with its version after a colon",
});
const serving = z.strictObject({
	...orderFields,
	model: perScene(model),
	/** What the model calls the words that it starts from. */
	prompt: z.string().min(1).default("prompt"),
});

/** Replicate: images, videos and music, paid by use. */
export const replicateKind: EngineKind<z.infer<typeof settings>, z.infer<typeof serving>> = {
	kind: "replicate",
	settings,
	serving,
	ownModels: [],
	async open(entry, { clock, logger, fault, downloadFor }) {
		const { name, settings: given, secret, models } = entry;
		if (secret === undefined)
			fault(`engines.${name}.secret`, 'expected {"env": "NAME"} or {"file": "PATH"}, for a token of Replicate');
		for (const { model: served, serving: order, place } of models) {
			checkScenes(order.model, served, (message) => fault(`${place}.model`, message));
			checkFields(order.fields, served, (option, message) => fault(`${place}.fields.${option}`, message));
		}
		const caller = createServiceCaller({
			url: given.url,
			headers: { authorization: `Bearer ${secret}` },
			timeoutMs: CALL_TIMEOUT_MS,
			clock,
		});
		const jobs = createJobRunner({ engine: name, isPaid: true, lookEveryMs: LOOK_EVERY_MS.image, clock, logger });
		const download = downloadFor(caller.origin);
		return createJobEngine(entry, jobs, (task, { model: served, serving: order }) =>
			replicateJob({ name, caller, download, clock, logger }, { ...order, model: served, named: order.model }, task),
		);
	},
};
