import type { MediaProfile } from "@atelier/media-protocol/profiles";
import type { GenerationRequest } from "./request.ts";

/** Builds the body of a submit, with each field of the request at the path that the profile names. */
export function requestBodyOf(
	{ options, ...request }: GenerationRequest,
	{ requestPaths, optionNames }: MediaProfile,
	callbackUrl?: string,
): object {
	const body: Record<string, unknown> = {};
	const bodyOptions = objectAt(body, requestPaths.options);
	for (const [name, value] of Object.entries(options)) bodyOptions[optionNames[name] ?? name] = value;
	const fields = { ...request, callbackUrl };
	for (const name of ["mediaType", "model", "prompt", "scene", "callbackUrl"] as const) {
		const path = requestPaths[name];
		if (path === undefined || fields[name] === undefined) continue;
		const dot = path.lastIndexOf(".");
		const parent = dot < 0 ? body : objectAt(body, path.slice(0, dot));
		parent[path.slice(dot + 1)] = fields[name];
	}
	return body;
}

/** Returns the object at a dotted path, which it creates if necessary. */
function objectAt(body: Record<string, unknown>, path: string): Record<string, unknown> {
	let current = body;
	for (const name of path.split(".")) current = (current[name] ??= {}) as Record<string, unknown>;
	return current;
}
