/** Defaults of single channels, which a command uses unless its member chooses otherwise. No I/O. */
import { isDeepStrictEqual } from "node:util";
import { MEDIA_TYPES, type MediaType } from "@atelier/media-protocol/model";
import { mediaTypeName } from "../../i18n/message-param-values.ts";
import type { MessageDescriptor, Text } from "../../i18n/message-descriptor.ts";
import { quoteName } from "../../i18n/quote.ts";
import { UserError } from "../user-error.ts";
import type { GuildSettings } from "./guild-settings.ts";
import { LIST_ENTRIES_MAX } from "@atelier/dashboard/limits";
import { NO_DEFAULTS } from "@atelier/dashboard/server-settings";

export type ChannelDefaults = GuildSettings["channelDefaults"][string];

/** Absent fields stay as they are. */
export type ChannelDefaultsChange = Partial<Readonly<ChannelDefaults>>;

/**
 * Returns the defaults that apply in a channel. `channelIds`: the channel; for a thread, also its parent, whose settings
 * apply where the thread has none. What is off in the parent channel stays off in its threads.
 */
export function channelDefaultsIn({ channelDefaults }: GuildSettings, channelIds: readonly string[]): ChannelDefaults {
	const applicable = channelIds.flatMap((id) =>
		Object.hasOwn(channelDefaults, id) ? (channelDefaults[id] ?? []) : [],
	);
	return {
		models: Object.assign({}, ...applicable.map(({ models }) => models).toReversed()) as ChannelDefaults["models"],
		style: applicable.find(({ style }) => style !== null)?.style ?? null,
		private: applicable.find(({ private: isPrivate }) => isPrivate !== null)?.private ?? null,
		mediaOff: [...new Set(applicable.flatMap(({ mediaOff }) => mediaOff))],
		threads: applicable.some(({ threads }) => threads),
	};
}

/** Changes the defaults of one channel. Removes the channel from the list once it has no setting of its own. */
export function changeChannelDefaults(
	settings: GuildSettings,
	channelId: string,
	change: ChannelDefaultsChange,
): GuildSettings {
	const { [channelId]: before = NO_DEFAULTS, ...others } = settings.channelDefaults;
	const after = { ...before, ...change };
	if (isDeepStrictEqual(after, NO_DEFAULTS)) return { ...settings, channelDefaults: others };
	if (Object.keys(others).length >= LIST_ENTRIES_MAX)
		throw new UserError({ key: "settings.listFull", params: { listedMax: LIST_ENTRIES_MAX } });
	return { ...settings, channelDefaults: { ...others, [channelId]: after } };
}

/** Formats one line for the channel, and one for each of its settings. */
export function channelDefaultsLines(
	channelId: string,
	{ models, style, private: isPrivate, mediaOff, threads }: ChannelDefaults,
	modelNameOf: (modelId: string) => string,
): readonly MessageDescriptor[] {
	const modelLines = MEDIA_TYPES.flatMap((mediaType) => {
		const id = models[mediaType];
		return id === undefined ? [] : [modelLine(mediaType, modelNameOf(id))];
	});
	const off: readonly Text[] = mediaOff.map(mediaTypeName);
	return [
		{ key: "settings.channelHead", params: { channelId } },
		...modelLines,
		...(style === null ? [] : [{ key: "settings.channelStyle", params: { name: quoteName(style) } } as const]),
		...(isPrivate === null ? [] : [{ key: "settings.channelPrivate", params: { private: isPrivate } } as const]),
		...(threads ? [{ key: "settings.channelThreads" } as const] : []),
		...(off.length === 0 ? [] : [{ key: "settings.channelMediaOff", params: { media: off } } as const]),
	];
}

function modelLine(mediaType: MediaType, name: string): MessageDescriptor {
	return { key: "settings.channelModel", params: { mediaTypeName: mediaTypeName(mediaType), model: quoteName(name) } };
}
