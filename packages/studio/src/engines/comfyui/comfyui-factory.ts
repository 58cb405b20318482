import { z } from "zod";
import { remoteSettings, type EngineKind, type ServedModel } from "../engine-factory.ts";
import { createComfyUiEngine, type ComfyUiWorkflows } from "./comfyui-engine.ts";
import { readWorkflow, workflowEntry, type Workflow } from "./workflow.ts";

const settings = z.strictObject({
	...remoteSettings,
	/** Timeout of a request, not of a generation. */
	timeoutSeconds: z.int().min(1).max(300).default(30),
});
const serving = z.strictObject({ workflows: z.record(z.string(), workflowEntry) });

/** A ComfyUI of one's own: one workflow per scene and model. */
export const comfyUiKind: EngineKind<z.infer<typeof settings>, z.infer<typeof serving>> = {
	kind: "comfyui",
	settings,
	serving,
	ownModels: [],
	async open(entry, { clock, logger, readFile, fault }) {
		const models: ServedModel<ComfyUiWorkflows>[] = [];
		for (const served of entry.models) {
			const {
				model,
				serving: { workflows },
				place,
			} = served;
			const scenes = new Map<string, Workflow>();
			for (const scene of Object.keys(workflows)) {
				if (!model.scenes.includes(scene)) fault(`${place}.workflows.${scene}`, "expected a scene of the model");
			}
			for (const scene of model.scenes) {
				const at = `${place}.workflows.${scene}`;
				const given = workflows[scene];
				if (!given) {
					fault(at, "expected a workflow, because the model has this scene");
					continue;
				}
				const text = await readFile(given.file, `${at}.file`);
				if (text === undefined) continue;
				const { workflow, faults } = readWorkflow(text, given, model, scene);
				for (const each of faults) fault(at, each);
				if (workflow) scenes.set(scene, workflow);
			}
			models.push({ ...served, serving: scenes });
		}
		return createComfyUiEngine({ ...entry, models }, { clock, logger });
	},
};
