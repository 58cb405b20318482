import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createLogger } from "@atelier/common/logger";
import { onTestFinished } from "vitest";
import { createDownload } from "@atelier/common/download";
import { openEngines } from "../../src/engines/engine-file.ts";
import { ENGINE_KINDS } from "../../src/engines/engine-kinds.ts";
import { advanceUntil, createManualClock } from "@atelier/common/testing/manual-clock";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { setup, type SetupOptions } from "../../testing/studio-setup.ts";

interface EngineSetup extends Pick<SetupOptions, "store" | "credits" | "limits"> {
	/** The engine file. */
	readonly file: object;
	/** Other files in its folder. */
	readonly beside?: Readonly<Record<string, object>>;
	readonly env?: Readonly<Record<string, string>>;
}

/** A model of the engine file: images from text for 4 credits, unless the test changes it. */
export function modelEntry<Change extends { readonly engines: readonly object[] }>(change: Change) {
	return {
		id: "m",
		name: "M",
		mediaType: "image",
		scenes: ["text-to-image"],
		price: { credits: 4 },
		typicalSeconds: 10,
		...change,
	};
}

/** A request for the model above. */
export const REQUEST = { mediaType: "image", model: "m", prompt: "a lighthouse" } as const;

const STEP_MS = 1000;
/** Long enough for sockets and disks of a busy machine: a request must end before its timeout passes. */
const REST_MS = 8;

/** A studio on the engines of a file, with a manual clock. */
export async function setupEngines({ file, beside = {}, env = {}, ...options }: EngineSetup) {
	const folder = await createTempFolder();
	for (const [name, content] of Object.entries({ ...beside, "engines.json": file })) {
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
		kinds: ENGINE_KINDS,
		env,
		clock,
		logger,
		downloadFor: (origin) => createDownload({ clock, trustedOrigins: [origin] }),
	});
	const studio = await setup({ engines, engineOrder, clock, ...options });
	onTestFinished(async () => {
		await studio.studio.stop();
		for (const engine of engines) await engine.close();
	});
	/** Advances the clock until the value holds. */
	const advanceUntilHolds = <T>(read: () => T | Promise<T>, holds?: (value: T) => boolean): Promise<T> =>
		advanceUntil(clock, read, { stepMs: STEP_MS, restMs: REST_MS, ...(holds && { holds }) });
	/** Uploads a file. Resolves to its URL. */
	async function upload(bytes: Uint8Array): Promise<string> {
		const form = new FormData();
		form.append("file", new Blob([Uint8Array.from(bytes)]), "input");
		const sent = new Response(form);
		const headers = { "content-type": sent.headers.get("content-type") ?? "" };
		const payload = Buffer.from(await sent.arrayBuffer());
		return String((await studio.call("POST", "/api/v1/uploads", { payload, headers })).body.data["url"]);
	}
	return {
		...studio,
		upload,
		/** The log lines of the engines. */
		readEngineLog: () => lines.join(""),
		advanceUntil: advanceUntilHolds,
		/** Advances the clock until the task has ended. Resolves to its record. */
		advanceUntilEnded: async (taskId: string, stepMs = STEP_MS) => {
			const isOpen = async () => (await studio.store.get(`studio-open:${taskId}`)) !== undefined;
			await advanceUntil(clock, isOpen, { holds: (open) => !open, stepMs, restMs: REST_MS });
			return await studio.readTask(taskId);
		},
	};
}
