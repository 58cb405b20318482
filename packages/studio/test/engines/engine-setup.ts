import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createLogger } from "@atelier/common/logger";
import { onTestFinished } from "vitest";
import { createDownload } from "@atelier/common/download";
import { openEngines } from "../../src/engines/engine-file.ts";
import { advanceUntil, createManualClock } from "@atelier/common/testing/manual-clock";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { setup, type SetupOptions } from "../../testing/studio-setup.ts";

interface EngineSetup extends Pick<SetupOptions, "store" | "credits" | "mediaDir"> {
	readonly kind: string;
	readonly url: string;
	readonly secret?: string;
	/** Its other settings in the engine file. */
	readonly settings?: object;
	/** Its model in the engine file. */
	readonly model: object;
	/** Other files in the folder of the engine file. */
	readonly beside?: Readonly<Record<string, object>>;
}

/** A model of the engine file: images from text for 4 credits, unless the test changes it. `modelSettings`: its settings at the engine. */
export function modelEntry({ modelSettings, ...change }: { readonly modelSettings: object } & Record<string, unknown>) {
	return {
		id: "m",
		name: "M",
		mediaType: "image",
		scenes: ["text-to-image"],
		price: { credits: 4 },
		typicalSeconds: 10,
		engines: [{ engine: "far", ...modelSettings }],
		...change,
	};
}

/** A request for the model above. */
export const REQUEST = { mediaType: "image", model: "m", prompt: "a lighthouse" } as const;

const STEP_MS = 1000;
/** Long enough for sockets and disks of a busy machine: a request must end before its timeout passes. */
const REST_MS = 8;

/** A studio with one engine, of an engine file, and with a manual clock. */
export async function setupEngine({ kind, url, secret, settings, model, beside = {}, ...options }: EngineSetup) {
	const far = { kind, url, ...(secret !== undefined && { secret: { env: "SECRET" } }), ...settings };
	const folder = await createTempFolder();
	for (const [name, content] of Object.entries({ ...beside, "engines.json": { engines: { far }, models: [model] } })) {
		await writeFile(join(folder, name), JSON.stringify(content));
	}
	const clock = createManualClock();
	const lines: string[] = [];
	const logger = createLogger({
		level: "debug",
		pretty: false,
		destination: { write: (line) => void lines.push(line) },
	});
	const { engines, engineOrder } = await openEngines(join(folder, "engines.json"), {
		env: secret === undefined ? {} : { SECRET: secret },
		clock,
		logger,
		downloadFor: (origin) => createDownload({ clock, trustedOrigins: [origin] }),
	});
	const studio = await setup({ engines, engineOrder, clock, ...options });
	onTestFinished(async () => {
		await studio.studio.stop();
		for (const engine of engines) await engine.close();
	});
	/** Advances the clock until the value is true. */
	const advanceUntilTrue = (read: () => unknown): Promise<unknown> =>
		advanceUntil(clock, read, { stepMs: STEP_MS, restMs: REST_MS });
	/** Advances the clock until the task has ended. Resolves to its record. */
	async function advanceUntilEnded(taskId: string) {
		await advanceUntilTrue(async () => (await studio.store.get(`studio-open:${taskId}`)) === undefined);
		return await studio.readTask(taskId);
	}
	/** Advances the clock until the record of the task has these fields. Resolves to the record. */
	async function advanceUntilShown(taskId: string, fields: Readonly<Record<string, unknown>>) {
		await advanceUntilTrue(async () => {
			const record = await studio.readTask(taskId);
			return Object.entries(fields).every(([name, value]) => record[name] === value);
		});
		return await studio.readTask(taskId);
	}
	return {
		...studio,
		/** Uploads a file. Resolves to its URL. */
		upload: async (bytes: Uint8Array) => String((await studio.upload(bytes)).body.data["url"]),
		/** The log lines of the engines. */
		readEngineLog: () => lines.join(""),
		advanceUntil: advanceUntilTrue,
		advanceUntilShown,
		advanceUntilEnded,
		/** Submits a task, and advances the clock until it has ended. Resolves to its record. */
		completeTask: async (body: object) => await advanceUntilEnded(await studio.submitTask(body)),
	};
}
