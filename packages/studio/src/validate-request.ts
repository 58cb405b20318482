import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { IMAGES_OPTION, MASK_OPTION, MEDIA_TYPES, type MediaType, type Price } from "@atelier/media-protocol/model";
import { isObject } from "@atelier/media-protocol/parse-value";
import { priceOf } from "@atelier/media-protocol/price";
import { callbackUrlProblem } from "./callbacks/callback-url.ts";
import type { Catalog } from "./model-catalog.ts";
import { takesInputMedia, type CatalogModel, type CatalogOption } from "./engines/catalog-model.ts";
import { CODES, type ApiCode, type FieldProblem } from "./errors.ts";
import type { StudioRequest, Warning } from "./studio-task.ts";

/** A problem with a field. The code of the first problem becomes the code of the response. */
interface RequestProblem extends FieldProblem {
	readonly code: ApiCode;
}

export type RequestVerdict =
	| { readonly kind: "accepted"; readonly request: StudioRequest; readonly callbackUrl: string | null }
	| { readonly kind: "rejected"; readonly problems: readonly [RequestProblem, ...RequestProblem[]] };

interface RequestRules {
	readonly catalog: Catalog;
	readonly promptCharsMax: number;
	/** Allowed origins of input media. */
	readonly inputOrigins: readonly string[];
	/** Returns whether a URL is a file of the service itself, such as an upload. */
	readonly isOwnFile: (url: string) => boolean;
	/** Origins that callbacks may go to although they are private. */
	readonly callbackOrigins: readonly string[];
}

const URL_CHARS_MAX = 2048;
const WARNINGS_MAX = 20;
const SHOWN_CHARS_MAX = 64;

/**
 * Returns the validated request with defaults, or all of its problems.
 *
 * Required fields are our choice: `mediaType`, `model`, and a `prompt` unless there are input media. `null` counts as
 * missing. Unknown fields are ignored; unknown options are accepted with a warning, because clients of other services
 * of this family may send them.
 */
export function validateRequest(body: Readonly<Record<string, unknown>>, rules: RequestRules): RequestVerdict {
	const { catalog, promptCharsMax, inputOrigins } = rules;
	const problems: RequestProblem[] = [];
	const addProblem = (code: ApiCode, field: string, message: string): undefined =>
		void problems.push({ code, field, message });

	function parseMediaType(): MediaType | undefined {
		const given = body["mediaType"];
		const known = MEDIA_TYPES.find((each) => each === given);
		const code = isAbsent(given) ? CODES.missingField : CODES.invalidMediaType;
		return known ?? addProblem(code, "mediaType", `must be one of ${MEDIA_TYPES.join(", ")}`);
	}

	function parseModel(mediaType: MediaType | undefined): CatalogModel | undefined {
		const given = body["model"];
		if (isAbsent(given)) {
			return addProblem(CODES.missingField, "model", "must be the id of a model: GET /api/v1/models");
		}
		const known = typeof given === "string" ? catalog.find(given) : undefined;
		if (known && (!mediaType || known.mediaType === mediaType)) return known;
		const ids = catalog.models.filter((model) => !mediaType || model.mediaType === mediaType).map(({ id }) => id);
		const purpose = mediaType ? ` for ${mediaType}` : "";
		return addProblem(
			CODES.invalidModel,
			"model",
			`must be the id of a model${purpose}: ${ids.join(", ") || "there is none"}`,
		);
	}

	function parseOptions(model: CatalogModel | undefined): Pick<StudioRequest, "options" | "inputs" | "warnings"> {
		const options: Record<string, string | number | boolean> = {};
		const inputs: Record<string, readonly string[]> = {};
		const given = body["options"] ?? {};
		if (!isObject(given)) addProblem(CODES.invalidOption, "options", "must be an object");
		if (!isObject(given) || !model) return { options, inputs, warnings: [] };
		for (const [name, schema] of Object.entries(model.options)) {
			const value = Object.hasOwn(given, name) ? given[name] : undefined;
			if (isAbsent(value)) {
				if ("default" in schema && schema.default !== undefined) options[name] = schema.default;
				continue;
			}
			const parsed = parseOption(name, schema, value);
			if (parsed === undefined) {
				addProblem(CODES.invalidOption, `options.${name}`, `must be ${expectedValue(schema)}`);
			} else if (typeof parsed !== "object") {
				options[name] = parsed;
			} else if (parsed.every((url) => rules.isOwnFile(url) || inputOrigins.includes(new URL(url).origin))) {
				if (parsed.length > 0) inputs[name] = parsed;
			} else {
				const otherOrigins = inputOrigins.length > 0 ? `, or at ${inputOrigins.join(", ")}` : "";
				addProblem(
					CODES.invalidOption,
					`options.${name}`,
					`must be valid links to files of this service${otherOrigins}`,
				);
			}
		}
		const unknown = Object.keys(given).filter((name) => !Object.hasOwn(model.options, name) && !isAbsent(given[name]));
		return { options, inputs, warnings: unknown.slice(0, WARNINGS_MAX).map((name) => unknownOption(model, name)) };
	}

	function parseScene(model: CatalogModel, hasInputs: boolean): string | undefined {
		const given = body["scene"];
		if (isAbsent(given)) {
			return model.scenes.find((scene) => takesInputMedia(scene) === hasInputs) ?? model.scenes[0];
		}
		if (typeof given === "string" && model.scenes.includes(given)) return given;
		const isKnown = typeof given === "string" && catalog.scenes.has(given);
		const message = `must be one of ${model.scenes.join(", ")} for ${model.id}`;
		return addProblem(isKnown ? CODES.invalidModel : CODES.invalidScene, "scene", message);
	}

	/**
	 * Rejects a mask without an image, media that the scene would ignore, and a scene without its media: the client would
	 * pay for another output than it requested.
	 */
	function checkInputs(model: CatalogModel, scene: string, hasInputs: boolean): void {
		if (Object.hasOwn(inputs, MASK_OPTION) && Object.keys(inputs).length === 1) {
			const message = `must have a URL, because options.${MASK_OPTION} is the mask of an image`;
			return addProblem(CODES.missingField, `options.${IMAGES_OPTION}`, message);
		}
		if (hasInputs === takesInputMedia(scene)) return;
		if (hasInputs) {
			const message = `${scene} does not start from media; scenes of ${model.id}: ${model.scenes.join(", ")}`;
			return addProblem(CODES.invalidOption, "scene", message);
		}
		const lists = Object.keys(model.options).filter((name) => model.options[name]?.type === "array");
		// A rejected list has a problem already.
		if (problems.some(({ field }) => lists.some((name) => field === `options.${name}`))) return;
		const media = lists.filter((name) => name !== MASK_OPTION);
		const given = body["options"];
		const sent = media.find((name) => isObject(given) && Object.hasOwn(given, name));
		const field = `options.${sent ?? media[0] ?? lists[0] ?? IMAGES_OPTION}`;
		addProblem(CODES.missingField, field, `must have at least one URL: ${scene} starts from media`);
	}

	/** Services of this family use both spellings. */
	function parseCallbackUrl(): string | null {
		const field = isAbsent(body["callbackUrl"]) ? "callBackUrl" : "callbackUrl";
		const given = body[field];
		if (isAbsent(given)) return null;
		const text = typeof given === "string" ? given : "";
		const problem = callbackUrlProblem(text, rules.callbackOrigins);
		if (problem !== undefined) addProblem(CODES.invalidParameter, field, problem);
		return text;
	}

	function parsePrompt(mayBeBlank: boolean): string | undefined {
		const prompt = body["prompt"] ?? "";
		if (typeof prompt !== "string") return addProblem(CODES.missingField, "prompt", "must be text");
		if (prompt.trim() === "" && !mayBeBlank) {
			return addProblem(CODES.missingField, "prompt", "must be text that is not blank");
		}
		if (Array.from(prompt).length > promptCharsMax) {
			return addProblem(CODES.tooLarge, "prompt", `must be at most ${promptCharsMax} characters`);
		}
		return prompt;
	}

	const mediaType = parseMediaType();
	const model = parseModel(mediaType);
	const { options, inputs, warnings } = parseOptions(model);
	const hasInputs = Object.keys(inputs).length > 0;
	const scene = model && parseScene(model, hasInputs);
	if (model && scene !== undefined) checkInputs(model, scene, hasInputs);
	const callbackUrl = parseCallbackUrl();
	const prompt = parsePrompt(hasInputs);

	const [first, ...rest] = problems;
	if (first) return { kind: "rejected", problems: [first, ...rest] };
	assert(mediaType && model && scene !== undefined && prompt !== undefined, "a rejected request has a problem");
	const priceCredits = taskPriceOf(model.price, options);
	const priceVersion = priceVersionOf(model.price);
	return {
		kind: "accepted",
		callbackUrl,
		request: { mediaType, model: model.id, scene, prompt, options, inputs, warnings, priceCredits, priceVersion },
	};
}

/** Returns the price of a task: at least 1, because the ledger reserves no hold of 0. */
export function taskPriceOf(price: Price, options: Parameters<typeof priceOf>[1]): number {
	return Math.max(1, priceOf(price, options));
}

/** Identifies a price: a changed price has another version. */
export function priceVersionOf(price: Price): string {
	const factors = Object.entries(price.resolutionFactors).toSorted(([a], [b]) => (a < b ? -1 : 1));
	const text = JSON.stringify([price.credits, price.per, factors]);
	return `price-${hash("sha256", text).slice(0, 12)}`;
}

function unknownOption(model: CatalogModel, name: string): Warning {
	const message = `${model.id} has no option ${JSON.stringify(name.slice(0, SHOWN_CHARS_MAX))}; it was ignored`;
	return { code: "unknown_option", message };
}

/**
 * Parses one option by its schema; `undefined` if it is invalid. Accepts clear variants: list values in any case (`2k`
 * for `2K`), and durations as clients write them (5, "5", "5s").
 */
function parseOption(
	name: string,
	schema: CatalogOption,
	given: unknown,
): string | number | boolean | readonly string[] | undefined {
	switch (schema.type) {
		case "string":
			if (typeof given !== "string") return undefined;
			if (!("enum" in schema)) return given.length <= schema.maxLength ? given : undefined;
			return schema.enum.find((value) => value.toLowerCase() === given.trim().toLowerCase());
		case "integer": {
			const value = name === "duration" ? parseSeconds(given) : given;
			const isInteger = typeof value === "number" && Number.isSafeInteger(value);
			return isInteger && value >= schema.minimum && value <= schema.maximum ? value : undefined;
		}
		case "boolean":
			return typeof given === "boolean" ? given : undefined;
		case "array": {
			if (!Array.isArray(given) || given.length > schema.maxItems) return undefined;
			const urls = given.flatMap((item) => parseMediaUrl(item) ?? []);
			return urls.length === given.length ? urls : undefined;
		}
	}
}

/** Describes the valid values of an option, for the error message. */
function expectedValue(schema: CatalogOption): string {
	switch (schema.type) {
		case "string":
			return "enum" in schema ? `one of ${schema.enum.join(", ")}` : `text of at most ${schema.maxLength} characters`;
		case "integer":
			return `a whole number from ${schema.minimum} to ${schema.maximum}`;
		case "boolean":
			return "true or false";
		case "array":
			return `a list of at most ${schema.maxItems} http or https URLs`;
	}
}

function parseSeconds(given: unknown): unknown {
	const digits = typeof given === "string" ? /^(\d{1,9})s?$/.exec(given.trim())?.[1] : undefined;
	return digits === undefined ? given : Number(digits);
}

function parseMediaUrl(given: unknown): string | undefined {
	const url = typeof given === "string" && given.length <= URL_CHARS_MAX ? URL.parse(given) : null;
	const isPlain = url && ["http:", "https:"].includes(url.protocol) && url.username === "" && url.password === "";
	return isPlain ? url.href : undefined;
}

function isAbsent(value: unknown): value is undefined | null {
	return value === undefined || value === null;
}
