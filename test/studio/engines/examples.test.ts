import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createDownload } from "../../../src/download.ts";
import { openEngines } from "../../../src/studio/engines/engine-file.ts";
import { ENGINE_KINDS } from "../../../src/studio/engines/engine-kinds.ts";
import { createManualClock } from "../../fakes/manual-clock.ts";

test("the sample of the ComfyUI engine has no fault, and a model for each medium", async () => {
	const clock = createManualClock();
	const { engines } = await openEngines(
		fileURLToPath(new URL("../../../examples/comfyui/engines.json", import.meta.url)),
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
