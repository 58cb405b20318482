/** Cards: messages in components v2. Pure: plain data in, components out. */
import {
	AttachmentBuilder,
	ButtonStyle,
	ComponentType,
	MessageFlags,
	SeparatorSpacingSize,
	type APIActionRowComponent,
	type APIButtonComponent,
	type APIButtonComponentWithCustomId,
	type APIComponentInContainer,
	type APIComponentInMessageActionRow,
	type APIContainerComponent,
	type APIFileComponent,
	type APIMediaGalleryComponent,
	type APISectionComponent,
	type APISeparatorComponent,
	type APITextDisplayComponent,
} from "discord.js";

/** The colors of the bar at the edge of a card. Neutral cards and results have the same. */
const COLORS = { neutral: 0xf4845f, success: 0xf4845f, warning: 0xf0b232, failure: 0xd83c3e } as const;
type CardTone = keyof typeof COLORS;

/** Discord's maximum for all texts of a message together. */
export const CARD_CHARS_MAX = 4_000;

export type CardPart = APIComponentInContainer;

export function card(parts: readonly CardPart[], tone: CardTone = "neutral"): APIContainerComponent {
	return { type: ComponentType.Container, accent_color: COLORS[tone], components: [...parts] };
}

/** The flag that a message with a card needs. It can be set by an edit, and never be unset. */
export const CARD_FLAG = MessageFlags.IsComponentsV2;

/** Builds a reply of discord.js that shows one card. */
export function cardReply(parts: readonly CardPart[], tone?: CardTone) {
	return { components: [card(parts, tone)], flags: CARD_FLAG } as const;
}

/** Builds a reply with a text and a file to save. */
export function fileReply(content: string, name: string, fileText: string) {
	const files = [new AttachmentBuilder(Buffer.from(fileText), { name })];
	return { ...cardReply([text(content), file(name)]), files };
}

export function text(content: string): APITextDisplayComponent {
	return { type: ComponentType.TextDisplay, content };
}

export function separator(): APISeparatorComponent {
	return { type: ComponentType.Separator, spacing: SeparatorSpacingSize.Small, divider: true };
}

/** Builds a text for each paragraph that is not empty, with lines between them. */
export function paragraphs(contents: readonly string[]): readonly CardPart[] {
	return contents
		.filter((content) => content !== "")
		.flatMap((content, index) => (index === 0 ? [text(content)] : [separator(), text(content)]));
}

/** Builds a text with a button or an image beside it. */
export function section(content: string, accessory: APISectionComponent["accessory"]): APISectionComponent {
	return { type: ComponentType.Section, components: [text(content)], accessory };
}

/** Builds a text with an image beside it, if there is one. */
export function textWithImage(content: string, image: MediaItem | undefined): CardPart {
	return image ? section(content, { type: ComponentType.Thumbnail, ...mediaItem(image) }) : text(content);
}

/** An image or a video in a card. */
export interface MediaItem {
	readonly url: string;
	/** Alt text. */
	readonly description: string;
	readonly isSpoiler: boolean;
}

function mediaItem({ url, description, isSpoiler }: MediaItem) {
	// An empty description is an error.
	return { media: { url }, ...(description !== "" && { description }), spoiler: isSpoiler };
}

export function row<Component extends APIComponentInMessageActionRow>(
	...components: readonly Component[]
): APIActionRowComponent<Component> {
	return { type: ComponentType.ActionRow, components: [...components] };
}

/** Discord's maximum. */
const BUTTONS_IN_ROW_MAX = 5;

/** Distributes buttons over as many rows as they need. Returns an empty list without buttons. */
export function buttonRows(
	buttons: readonly APIButtonComponent[],
): readonly APIActionRowComponent<APIButtonComponent>[] {
	return Array.from({ length: Math.ceil(buttons.length / BUTTONS_IN_ROW_MAX) }, (_, index) =>
		row(...buttons.slice(index * BUTTONS_IN_ROW_MAX, (index + 1) * BUTTONS_IN_ROW_MAX)),
	);
}

interface ButtonOptions {
	/** Secondary by default. */
	readonly style?: APIButtonComponentWithCustomId["style"] | undefined;
	readonly isDisabled?: boolean;
}

export function button(
	customId: string,
	label: string,
	{ style = ButtonStyle.Secondary, isDisabled = false }: ButtonOptions = {},
): APIButtonComponentWithCustomId {
	return { type: ComponentType.Button, style, label, custom_id: customId, ...(isDisabled && { disabled: true }) };
}

/** Builds a button that opens a URL, without an interaction. */
export function linkButton(url: string, label: string): APIButtonComponent {
	return { type: ComponentType.Button, style: ButtonStyle.Link, label, url };
}

/** Offers an uploaded file by its name. */
export function file(name: string): APIFileComponent {
	return { type: ComponentType.File, file: { url: `attachment://${name}` } };
}

interface GalleryFile extends Pick<MediaItem, "description"> {
	/** The name of an uploaded file. */
	readonly name: string;
	readonly isSpoiler?: boolean;
}

/** Shows uploaded images and videos. */
export function gallery(files: readonly GalleryFile[]): APIMediaGalleryComponent {
	return galleryOfUrls(
		files.map(({ name, description, isSpoiler = false }) => ({ url: `attachment://${name}`, description, isSpoiler })),
	);
}

/** Shows images and videos by their URLs. */
export function galleryOfUrls(items: readonly MediaItem[]): APIMediaGalleryComponent {
	return { type: ComponentType.MediaGallery, items: items.map(mediaItem) };
}

/** Discord's maximum for the options of a menu, its selected values, and autocomplete choices. */
export const CHOICES_MAX = 25;
/** Discord's maximum for the label and the value of each. */
export const CHOICE_CHARS_MAX = 100;
