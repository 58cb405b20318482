import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createDownload } from "@atelier/common/download";
import { openEngines } from "../../src/engines/engine-file.ts";
import { ENGINE_KINDS } from "../../src/engines/engine-kinds.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

test("the ComfyUI example is valid and has a model for each media type", async () => {
	const clock = createManualClock();
	const { engines } = await openEngines(
		fileURLToPath(new URL("../../../../examples/comfyui/engines.json", import.meta.url)),
		{
			kinds: ENGINE_KINDS,
			env: {},
			clock,
			logger: pino({ level: "silent" }),
			downloadFor: () => createDownload({ clock, trustedOrigins: [] }),
		},
	);
	const models = engines.flatMap((engine) => engine.models());
	expect(models.map(({ mediaType }) => mediaType)).toStrictEqual(["image", "video", "music", "image"]);
	expect(models.at(-1)).toMatchObject({ scenes: ["upscale"], inputPixelsMax: 1_600_000 });
});
