import { readCallbackUrl as readCallbackAddress } from "./callbacks/callback-url.ts";
import type { Catalogue } from "./catalogue.ts";
import { MEDIA_TYPES, type MediaType, type Model } from "./engines/engine.ts";
import { CODES, type ApiCode, type FieldFault } from "./errors.ts";
import { readOption } from "./option-value.ts";
import { priceOf, priceVersionOf } from "./price.ts";
import type { TaskRequest, Warning } from "./task.ts";

/** A fault with the code of the response if it is the first one. */
interface RequestFault extends FieldFault {
	readonly code: ApiCode;
}

export type RequestVerdict =
	| { readonly kind: "accepted"; readonly request: TaskRequest; readonly callbackUrl: string | null }
	| { readonly kind: "refused"; readonly faults: readonly [RequestFault, ...RequestFault[]] };

export interface RequestRules {
	readonly catalogue: Catalogue;
	readonly promptCharsMax: number;
	/** Allowed origins of input media. */
	readonly inputOrigins: readonly string[];
	/** Returns whether a URL is a file of the service itself, such as an upload. */
	readonly isOwnFile: (url: string) => boolean;
	/** Origins that callbacks may go to although they are private. */
	readonly callbackOrigins: readonly string[];
}

const MODEL_CHARS_MAX = 128;
const WARNINGS_MAX = 20;
const SHOWN_CHARS_MAX = 64;

/**
 * Returns the validated request with defaults, or all of its faults. * Which fields are required is our choice:
 * `mediaType`, `model`, and a `prompt` unless there are input media. `null` counts as missing. Unknown fields are
 * ignored; unknown options are accepted with a warning, because clients of other services of this family may send them.
 */
export function validateRequest(body: Readonly<Record<string, unknown>>, rules: RequestRules): RequestVerdict {
	const faults: RequestFault[] = [];
	const mediaType = readMediaType(body["mediaType"], faults);
	const model = readModel(body["model"], mediaType, rules.catalogue, faults);
	const given = readOptionsObject(body["options"], faults);
	const { options, inputs, warnings } = model
		? readOptions(model, given, rules, faults)
		: { options: {}, inputs: {}, warnings: [] };
	const hasInputs = Object.values(inputs).some((urls) => urls.length > 0);
	const scene = model && readScene(body["scene"], model, hasInputs, rules.catalogue, faults);
	if (model && scene !== undefined) checkInputs(model, scene, hasInputs, given, faults);
	const callbackUrl = readCallbackUrl(body, rules.callbackOrigins, faults);
	const prompt = readPrompt(body["prompt"], hasInputs, rules.promptCharsMax, faults);

	const [first, ...rest] = faults;
	if (first) return { kind: "refused", faults: [first, ...rest] };
	if (!mediaType || !model || scene === undefined || prompt === undefined)
		throw new Error("a rejected request has no fault");
	const priceCredits = priceOf(model.price, options);
	const priceVersion = priceVersionOf(model.price);
	return {
		kind: "accepted",
		callbackUrl,
		request: { mediaType, model: model.id, scene, prompt, options, inputs, warnings, priceCredits, priceVersion },
	};
}

function readMediaType(given: unknown, faults: RequestFault[]): MediaType | undefined {
	const mediaType = MEDIA_TYPES.find((each) => each === given);
	if (mediaType) return mediaType;
	const code = isAbsent(given) ? CODES.missingField : CODES.badMediaType;
	faults.push({ code, field: "mediaType", message: `must be one of ${MEDIA_TYPES.join(", ")}` });
	return undefined;
}

function readModel(
	given: unknown,
	mediaType: MediaType | undefined,
	catalogue: Catalogue,
	faults: RequestFault[],
): Model | undefined {
	if (isAbsent(given)) {
		faults.push({ code: CODES.missingField, field: "model", message: "must be the id of a model: GET /api/v1/models" });
		return undefined;
	}
	const known = typeof given === "string" && given.length <= MODEL_CHARS_MAX ? catalogue.find(given) : undefined;
	if (known && (!mediaType || known.mediaType === mediaType)) return known;
	const ids = catalogue.models.filter((model) => !mediaType || model.mediaType === mediaType).map(({ id }) => id);
	const message = `must be the id of a model${mediaType ? ` for ${mediaType}` : ""}: ${ids.join(", ") || "there is none"}`;
	faults.push({ code: CODES.badModel, field: "model", message });
	return undefined;
}

function readOptionsObject(given: unknown, faults: RequestFault[]): Readonly<Record<string, unknown>> {
	if (isAbsent(given)) return {};
	if (isRecord(given)) return given;
	faults.push({ code: CODES.badOption, field: "options", message: "must be an object" });
	return {};
}

function readOptions(
	model: Model,
	given: Readonly<Record<string, unknown>>,
	{ inputOrigins, isOwnFile }: RequestRules,
	faults: RequestFault[],
): Pick<TaskRequest, "options" | "inputs" | "warnings"> {
	const options: Record<string, string | number | boolean> = {};
	const inputs: Record<string, readonly string[]> = {};
	for (const [name, schema] of Object.entries(model.options)) {
		const value = Object.hasOwn(given, name) ? given[name] : undefined;
		if (isAbsent(value)) {
			if ("default" in schema && schema.default !== undefined) options[name] = schema.default;
			continue;
		}
		const field = `options.${name}`;
		const verdict = readOption(name, schema, value);
		if (verdict.kind === "bad") {
			faults.push({ code: CODES.badOption, field, message: `must be ${verdict.expected}` });
		} else if (verdict.kind === "value") {
			options[name] = verdict.value;
		} else if (verdict.urls.every((url) => isOwnFile(url) || inputOrigins.includes(new URL(url).origin))) {
			inputs[name] = verdict.urls;
		} else {
			const message = `must be links to files here whose time is not over${inputOrigins.length > 0 ? `, or at ${inputOrigins.join(", ")}` : ""}`;
			faults.push({ code: CODES.badOption, field, message });
		}
	}
	const unknown = Object.keys(given).filter((name) => !Object.hasOwn(model.options, name));
	return { options, inputs, warnings: unknown.slice(0, WARNINGS_MAX).map((name) => unknownOption(model, name)) };
}

function unknownOption(model: Model, name: string): Warning {
	const message = `${model.id} has no option ${JSON.stringify(name.slice(0, SHOWN_CHARS_MAX))}; it was ignored`;
	return { code: "unknown_option", message };
}

function readScene(
	given: unknown,
	model: Model,
	hasInputs: boolean,
	catalogue: Catalogue,
	faults: RequestFault[],
): string | undefined {
	if (isAbsent(given)) {
		const fitting = model.scenes.find((scene) => startsFromMedia(scene) === hasInputs);
		return fitting ?? model.scenes[0];
	}
	if (typeof given === "string" && model.scenes.includes(given)) return given;
	const known = typeof given === "string" && catalogue.scenes.has(given);
	const message = `must be one of ${model.scenes.join(", ")} for ${model.id}`;
	faults.push({ code: known ? CODES.badModel : CODES.badScene, field: "scene", message });
	return undefined;
}

/**
 * Rejects media that the scene would ignore, and a scene without its media: the client would pay for something else.
 */
function checkInputs(
	model: Model,
	scene: string,
	hasInputs: boolean,
	given: Readonly<Record<string, unknown>>,
	faults: RequestFault[],
): void {
	if (hasInputs === startsFromMedia(scene)) return;
	const names = Object.entries(model.options).flatMap(([name, { type }]) => (type === "array" ? name : []));
	if (hasInputs) {
		const message = `${scene} does not start from media; scenes of ${model.id}: ${model.scenes.join(", ")}`;
		faults.push({ code: CODES.badOption, field: "scene", message });
	}
	// A rejected list has a fault already.
	const refused = faults.some(({ field }) => names.some((name) => field === `options.${name}`));
	if (!hasInputs && !refused) {
		const name = names.find((each) => Object.hasOwn(given, each)) ?? names[0] ?? "image_input";
		const message = `must name at least one address: ${scene} starts from media`;
		faults.push({ code: CODES.missingField, field: `options.${name}`, message });
	}
}

function readPrompt(given: unknown, mayBeBlank: boolean, charsMax: number, faults: RequestFault[]): string | undefined {
	const prompt = isAbsent(given) ? "" : given;
	if (typeof prompt !== "string") {
		faults.push({ code: CODES.missingField, field: "prompt", message: "must be text" });
		return undefined;
	}
	if (prompt.trim() === "" && !mayBeBlank) {
		faults.push({ code: CODES.missingField, field: "prompt", message: "must be text that is not blank" });
		return undefined;
	}
	if (prompt.length > charsMax && Array.from(prompt).length > charsMax) {
		faults.push({ code: CODES.tooLarge, field: "prompt", message: `must be at most ${charsMax} characters` });
		return undefined;
	}
	return prompt;
}

/** This family uses both spellings. */
function readCallbackUrl(
	body: Readonly<Record<string, unknown>>,
	callbackOrigins: readonly string[],
	faults: RequestFault[],
): string | null {
	const field = isAbsent(body["callbackUrl"]) ? "callBackUrl" : "callbackUrl";
	const given = body[field];
	if (isAbsent(given)) return null;
	const verdict = readCallbackAddress(given, callbackOrigins);
	if (verdict.kind === "address") return verdict.address;
	faults.push({ code: CODES.badParameter, field, message: verdict.message });
	return null;
}

/** `text-to-...` scenes take a prompt only; all others, such as `image-to-image`, take media. */
function startsFromMedia(scene: string): boolean {
	return !scene.startsWith("text-to-");
}

function isAbsent(value: unknown): value is undefined | null {
	return value === undefined || value === null;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
