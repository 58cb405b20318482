import { z } from "zod";
import { hostedModelsKind } from "../hosted-models.ts";
import { falJob } from "./fal-adapter.ts";

/** fal: images, videos and music, pay per use. */
export const falKind = hostedModelsKind({
	kind: "fal",
	url: "https://queue.fal.run",
	named: z.string().regex(/^[\w-]+(\/[\w.-]+)+$/, { error: "expected the name of a model, such as fal-ai/flux/dev" }),
	secretWords: "a key of fal",
	authorization: (key) => `Key ${key}`,
	jobFor: falJob,
});
