/**
 * Reads what a message shows: Discord lists the texts and files of a card (components v2) inside its components only, and leaves
 * `content` and `attachments` empty.
 */
import { z } from "zod";

export const Media = z.object({
	url: z.string(),
	content_type: z.string().nullish(),
	width: z.number().nullish(),
	height: z.number().nullish(),
	/** Absent for files of a card that are not on Discord. */
	attachment_id: z.string().optional(),
});
export type Media = Readonly<z.infer<typeof Media>>;

const Component = z.object({
	content: z.string().optional(),
	custom_id: z.string().optional(),
	file: Media.optional(),
	media: Media.optional(),
	items: z.array(z.object({ media: Media })).optional(),
	options: z.array(z.object({ value: z.string() })).optional(),
	get accessory() {
		return Component.optional();
	},
	get components() {
		return z.array(Component).optional();
	},
});
type Component = z.infer<typeof Component>;

/** Lists every component of a message, in reading order. Returns none if one of them does not parse. */
function flattenComponents(components: unknown): readonly Component[] {
	const { data = [] } = z.array(Component).safeParse(components);
	return data.flatMap((each) => [
		each,
		...flattenComponents(each.components ?? []),
		...(each.accessory ? flattenComponents([each.accessory]) : []),
	]);
}

export function textsIn(components: unknown): readonly string[] {
	return flattenComponents(components).flatMap(({ content }) => content ?? []);
}

export function mediaIn(components: unknown): readonly Media[] {
	return flattenComponents(components).flatMap(({ file, media, items = [] }) => [
		...(file ? [file] : []),
		...(media ? [media] : []),
		...items.map((item) => item.media),
	]);
}

/** Lists the custom ids of buttons and menus, and those that a menu offers. */
export function customIdsIn(components: unknown): readonly string[] {
	return flattenComponents(components).flatMap(({ custom_id: customId, options = [] }) => [
		...(customId === undefined ? [] : [customId]),
		...options.map(({ value }) => value),
	]);
}

/** Returns the name of a file, from its URL. Other bots' cards may have URLs with escapes that are not UTF-8. */
export function filenameOf({ url }: Pick<Media, "url">): string {
	const name = URL.parse(url)?.pathname.split("/").at(-1) ?? "";
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}
