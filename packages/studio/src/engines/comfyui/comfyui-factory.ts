import { z } from "zod";
import { remoteSettings, type EngineKind } from "../engine-factory.ts";
import { createComfyUiEngine, type ComfyUiModel } from "./comfyui-engine.ts";
import { readWorkflow, workflowEntry, type Workflow } from "./workflow.ts";

const settings = z.strictObject({
	...remoteSettings,
	/** How long it may take to answer a request, not to make something. */
	timeoutSeconds: z.int().min(1).max(300).default(30),
});
const serving = z.strictObject({ workflows: z.record(z.string(), workflowEntry) });

/** A ComfyUI of one's own: a workflow for each scene of each model. */
export const comfyUiKind: EngineKind<z.infer<typeof settings>, z.infer<typeof serving>> = {
	kind: "comfyui",
	settings,
	serving,
	ownModels: [],
	async open({ name, settings: given, secret, models }, { clock, logger, readFile, fault }) {
		const opened = new Map<string, ComfyUiModel>();
		for (const {
			model,
			serving: { workflows },
			place,
		} of models) {
			const scenes = new Map<string, Workflow>();
			for (const scene of Object.keys(workflows)) {
				if (!model.scenes.includes(scene)) fault(`${place}.workflows.${scene}`, "expected a scene of the model");
			}
			for (const scene of model.scenes) {
				const at = `${place}.workflows.${scene}`;
				const entry = workflows[scene];
				if (!entry) {
					fault(at, "expected a workflow, because the model has this scene");
					continue;
				}
				const text = await readFile(entry.file, `${at}.file`);
				if (text === undefined) continue;
				const { workflow, faults } = readWorkflow(text, entry, model, scene);
				for (const each of faults) fault(at, each);
				if (workflow) scenes.set(scene, workflow);
			}
			opened.set(model.id, { model, scenes });
		}
		return createComfyUiEngine({
			name,
			url: given.url,
			secret,
			concurrency: given.concurrency,
			timeoutMs: given.timeoutSeconds * 1000,
			models: opened,
			clock,
			logger,
		});
	},
};
