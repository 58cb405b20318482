import { readFile } from "node:fs/promises";
import { z } from "zod";
import { environmentError } from "./config-error.ts";
import { modelSchema, type Model } from "@atelier/media-protocol/model";

/** Reads the models from the file of `MEDIA_CATALOG`; an empty list if `path` is `undefined`. Throws a `ConfigError` for an invalid file. */
export async function readModelCatalogFile(path: string | undefined): Promise<readonly Model[]> {
	if (path === undefined) return [];
	try {
		return z.array(modelSchema).parse(JSON.parse(await readFile(path, "utf8")));
	} catch (error) {
		const reason = error instanceof z.ZodError ? z.prettifyError(error) : "it cannot be read, or is not JSON";
		throw environmentError([`MEDIA_CATALOG: ${reason}`], { cause: error });
	}
}
