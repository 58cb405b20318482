import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createDownload } from "@atelier/common/download";
import { openEngines } from "../../src/engines/engine-file.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

test.each([
	["ai-horde", ["image"]],
	["comfyui", ["image", "video", "music", "image"]],
	["openai-images", ["image"]],
])("the example for %s is valid", async (folder, mediaTypes) => {
	const clock = createManualClock();
	const { engines } = await openEngines(
		fileURLToPath(new URL(`../../../../examples/${folder}/engines.json`, import.meta.url)),
		{
			env: { OPENAI_API_KEY: "key" },
			clock,
			logger: pino({ level: "silent" }),
			downloadFor: () => createDownload({ clock, trustedOrigins: [] }),
		},
	);
	const models = engines.flatMap((engine) => engine.models());
	expect(models.map(({ mediaType }) => mediaType)).toStrictEqual(mediaTypes);
});
