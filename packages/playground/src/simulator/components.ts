/** Converts components of requests to those of responses: numbered, and with defaults. */
import { type APIMessageTopLevelComponent, type APISelectMenuOption, ComponentType } from "discord-api-types/v10";
import { isJsonObject, type JsonObject, type JsonPath, mapJson } from "../json.ts";
import type { StoredMessage } from "./documents.ts";

/** Defaults of Discord's responses by component type; requests may omit these or send null. */
const DEFAULTS: { readonly [type: number]: JsonObject } = {
	[ComponentType.Button]: { disabled: false },
	[ComponentType.StringSelect]: { min_values: 1, max_values: 1, disabled: false },
	[ComponentType.UserSelect]: { min_values: 1, max_values: 1, disabled: false },
	[ComponentType.RoleSelect]: { min_values: 1, max_values: 1, disabled: false },
	[ComponentType.MentionableSelect]: { min_values: 1, max_values: 1, disabled: false },
	[ComponentType.ChannelSelect]: { min_values: 1, max_values: 1, disabled: false },
	[ComponentType.Thumbnail]: { description: null, spoiler: false },
	[ComponentType.File]: { spoiler: false },
	[ComponentType.Separator]: { spacing: 1, divider: true },
	[ComponentType.Container]: { accent_color: null, spoiler: false },
};

/** Components that stand alone: beside a section, and in the label of a modal. */
const SINGLE_CHILD_FIELDS = ["accessory", "component"] as const;

/** Yields every component with its path, in reading order. */
export function* walkComponents(
	value: unknown,
	path: JsonPath = [],
): Generator<{ readonly component: JsonObject; readonly path: JsonPath }, undefined> {
	if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* walkComponents(item, [...path, index]);
	if (!isJsonObject(value)) return;
	yield { component: value, path };
	for (const field of ["components", ...SINGLE_CHILD_FIELDS]) yield* walkComponents(value[field], [...path, field]);
}

/** Returns the texts of the text displays at any depth. */
export function textsOf(components: unknown): readonly string[] {
	return Array.from(walkComponents(components), ({ component: { type, content } }) =>
		type === ComponentType.TextDisplay ? String(content) : [],
	).flat();
}

/** An interactive component at any depth; its type determines its other fields. */
export interface InteractiveComponent {
	readonly type: ComponentType;
	readonly id: number;
	readonly custom_id: string;
	readonly [field: string]: unknown;
}

/** Returns all components with a custom id, in reading order. */
export function interactiveComponents(value: unknown): readonly InteractiveComponent[] {
	const all = Array.from(walkComponents(value), ({ component }) => component);
	return all.filter((component): component is InteractiveComponent => typeof component["custom_id"] === "string");
}

/** Returns the options of a menu, radio group or checkbox group; none of other components. */
export function optionsOf({ options }: InteractiveComponent): readonly APISelectMenuOption[] {
	return Array.isArray(options) ? options : [];
}

/** Returns the filled fields of a component or an option, with a valid emoji. */
function normalizeFields(fields: JsonObject): JsonObject {
	const filled = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
	const given: JsonObject = Object.fromEntries(filled);
	const emoji = given["emoji"];
	return isJsonObject(emoji) ? { ...given, emoji: normalizeEmoji(emoji) } : given;
}

/** A Unicode emoji has only a name. */
function normalizeEmoji({ id, name, animated }: JsonObject): JsonObject {
	if (typeof id !== "string") return { name };
	return { id, name, ...(typeof animated === "boolean" && { animated }) };
}

export function normalizeComponents(
	components: readonly (APIMessageTopLevelComponent | object)[],
): StoredMessage["components"] {
	const usedIds = new Set(Array.from(walkComponents(components), ({ component }) => component["id"]));
	let lastId = 0;
	const nextId = (): number => {
		do lastId += 1;
		while (usedIds.has(lastId));
		return lastId;
	};

	const normalize = (component: JsonObject): JsonObject => {
		const given = normalizeFields(component);
		const id = typeof given["id"] === "number" && given["id"] > 0 ? given["id"] : nextId();
		const response: { [key: string]: unknown } = { ...DEFAULTS[Number(component["type"])], ...given, id };
		if (Array.isArray(given["components"]))
			response["components"] = given["components"].filter(isJsonObject).map(normalize);
		for (const field of SINGLE_CHILD_FIELDS) if (isJsonObject(given[field])) response[field] = normalize(given[field]);
		if (Array.isArray(given["options"]))
			response["options"] = given["options"].filter(isJsonObject).map(normalizeFields);
		if (Array.isArray(given["items"])) {
			response["items"] = given["items"].filter(isJsonObject).map((item) => ({
				media: item["media"],
				description: item["description"] ?? null,
				spoiler: item["spoiler"] ?? false,
			}));
		}
		return response;
	};
	return components.map((component) => normalize(component as JsonObject)) as unknown as StoredMessage["components"];
}

const MEDIA_FIELDS: ReadonlySet<unknown> = new Set(["media", "file", "image", "thumbnail"]);

/** Returns the URL of a media object of a component or an embed; `undefined` for other values. */
export function mediaUrl(value: unknown, field: unknown): string | undefined {
	const isMedia = MEDIA_FIELDS.has(field) && isJsonObject(value) && typeof value["url"] === "string";
	return isMedia ? String(value["url"]) : undefined;
}

/** Yields every URL of components and embeds with its path, and the schemes that it may have. */
export function* urlsIn(
	value: unknown,
	path: JsonPath = [],
): Generator<{ readonly path: JsonPath; readonly url: string; readonly schemes: readonly string[] }, undefined> {
	if (typeof value !== "object" || value === null) return;
	const isButton = "type" in value && value.type === ComponentType.Button;
	for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
		const innerPath = [...path, Array.isArray(value) ? Number(key) : key];
		const isMedia = key === "icon_url" || (key === "url" && MEDIA_FIELDS.has(path.at(-1)));
		const schemes = ["http", "https", ...(isMedia ? ["attachment"] : []), ...(isButton ? ["discord"] : [])];
		if (typeof inner !== "string") yield* urlsIn(inner, innerPath);
		else if (isMedia || key === "url") yield { path: innerPath, url: inner, schemes };
	}
}

/** Completes every media object of the components by `resolve`, and file components with the name and the size of their file. */
export function withMedia(
	components: StoredMessage["components"],
	resolve: (url: string) => { readonly media: JsonObject; readonly name: string | null; readonly size: number | null },
) {
	return mapJson(components, (value, path) => {
		const url = mediaUrl(value, path.at(-1));
		if (url !== undefined) return resolve(url).media;
		const fileUrl = isJsonObject(value) ? mediaUrl(value["file"], "file") : undefined;
		if (!isJsonObject(value) || fileUrl === undefined) return value;
		const { media: file, name, size } = resolve(fileUrl);
		return { ...value, file, name, size };
	}) as StoredMessage["components"];
}
