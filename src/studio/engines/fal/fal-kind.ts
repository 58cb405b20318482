import { z } from "zod";
import { remoteSettings, type EngineKind } from "../engine-kind.ts";
import { createJobEngine, LOOK_EVERY_MS } from "../job-engine.ts";
import { createJobRunner } from "../job-runner.ts";
import { checkFields, checkScenes, orderFields, perScene } from "../order-fields.ts";
import { createServiceCaller } from "../service-call.ts";
import { falJob } from "./fal-job.ts";

/** An order may carry an image of some megabytes. */
const CALL_TIMEOUT_MS = 60_000;

const settings = z.strictObject({ ...remoteSettings, url: remoteSettings.url.default("https://queue.fal.run") });
const endpoint = z.string().regex(/^[\w-]+(\/[\w.-]+)+$/, {
	error: "expected the name of a model, such as fal-ai/flux/dev",
});
const serving = z.strictObject({
	...orderFields,
	model: perScene(endpoint),
	/** What the model calls the words that it starts from. */
	prompt: z.string().min(1).default("prompt"),
});

/** fal: images, videos and music, paid by use. */
export const falKind: EngineKind<z.infer<typeof settings>, z.infer<typeof serving>> = {
	kind: "fal",
	settings,
	serving,
	ownModels: [],
	async open(entry, { clock, logger, fault, downloadFor }) {
		const { name, settings: given, secret, models } = entry;
		if (secret === undefined)
			fault(`engines.${name}.secret`, 'expected {"env": "NAME"} or {"file": "PATH"}, for a key of fal');
		for (const { model, serving: order, place } of models) {
			checkScenes(order.model, model, (message) => fault(`${place}.model`, message));
			checkFields(order.fields, model, (option, message) => fault(`${place}.fields.${option}`, message));
		}
		const caller = createServiceCaller({
			url: given.url,
			headers: { authorization: `Key ${secret}` },
			timeoutMs: CALL_TIMEOUT_MS,
			clock,
		});
		const jobs = createJobRunner({ engine: name, isPaid: true, lookEveryMs: LOOK_EVERY_MS.image, clock, logger });
		const download = downloadFor(caller.origin);
		return createJobEngine(entry, jobs, (task, { model, serving: order }) =>
			falJob({ name, caller, download, logger }, { ...order, model, endpoint: order.model }, task),
		);
	},
};
