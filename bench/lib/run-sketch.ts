import type { Engine, EngineOutput, EngineTask } from "@atelier/studio/engines/engine";

/** Runs one task of the engine `sketch` outside of a studio. Resolves to its first file. */
export async function runSketch(
	sketch: Engine,
	request: Pick<EngineTask, "model" | "scene" | "options">,
): Promise<EngineOutput> {
	const [file] = await sketch.run(
		{
			taskId: "1",
			attempt: 1,
			checkpoint: { read: async () => undefined, write: async () => {} },
			prompt: "a lighthouse",
			inputs: [],
			...request,
		},
		new AbortController().signal,
		() => {},
	);
	if (!file) throw new Error("sketch generated no file");
	return file;
}
