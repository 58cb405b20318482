import { z } from "zod";
import { hostedModelsKind } from "../hosted-models.ts";
import { replicateJob } from "./replicate-adapter.ts";

/** Replicate: images, videos and music, pay per use. */
export const replicateKind = hostedModelsKind({
	kind: "replicate",
	url: "https://api.replicate.com/v1",
	named: z.string().regex(/^[\w.-]+\/[\w.-]+(:[0-9a-f]{64})?$/, {
		error: "expected the name of a model, such as black-forest-labs/flux-schnell, or with its version after a colon",
	}),
	secretWords: "a token of Replicate",
	authorization: (token) => `Bearer ${token}`,
	jobFor: replicateJob,
});
