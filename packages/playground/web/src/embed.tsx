/** An embed of a message. */
import type { APIEmbed } from "discord-api-types/v10";
import type { ComponentChild } from "preact";
import { InlineMarkdown, Link, MarkdownText } from "./markdown-text.tsx";
import { isOwnMedia, mediaPath, safeUrl } from "./safe-urls.ts";
import { useTimeFormat } from "./time-text.tsx";
import { messageTimeText } from "./time.ts";

export function Embed({ embed }: { embed: APIEmbed }) {
	const { author, title, description, fields = [], image, thumbnail, footer, timestamp } = embed;
	const timeFormat = useTimeFormat();
	const time = timestamp && messageTimeText(Date.parse(timestamp), timeFormat);
	const foot = [footer?.text, time].filter(Boolean).join(" · ");
	return (
		<article class="embed" style={embed.color === undefined ? {} : { "--bar": hexColor(embed.color) }}>
			{author && (
				<p class="embed-author">
					<EmbedIcon url={author.icon_url} />
					<MaybeLink url={author.url} text={author.name} />
				</p>
			)}
			{title !== undefined && (
				<p class="embed-title">
					<MaybeLink url={embed.url} text={<InlineMarkdown text={title} />} />
				</p>
			)}
			{description !== undefined && <MarkdownText text={description} />}
			{fields.length > 0 && (
				<dl class="embed-fields">
					{fields.map(({ name, value, inline }, at) => (
						<div key={at} class={inline ? "inline" : ""}>
							<dt>
								<MarkdownText text={name} />
							</dt>
							<dd>
								<MarkdownText text={value} />
							</dd>
						</div>
					))}
				</dl>
			)}
			{image && <EmbedImage image={image} class="embed-image" />}
			{thumbnail && <EmbedImage image={thumbnail} class="embed-thumbnail" />}
			{foot !== "" && (
				<p class="note">
					<EmbedIcon url={footer?.icon_url} />
					{foot}
				</p>
			)}
		</article>
	);
}

export function hexColor(color: number): string {
	return `#${color.toString(16).padStart(6, "0")}`;
}

function MaybeLink({ url, text }: { url: string | undefined; text: ComponentChild }) {
	const safe = safeUrl(url);
	return safe === null ? <>{text}</> : <Link url={safe}>{text}</Link>;
}

interface EmbedImageProps {
	readonly image: NonNullable<APIEmbed["image"]>;
	readonly class: string;
}

/** The icon of an author or a footer, if it is a file of the playground. */
function EmbedIcon({ url = "" }: { url: string | undefined }) {
	const parsed = URL.parse(url);
	return parsed && isOwnMedia(parsed) ? <img class="embed-icon" src={mediaPath(url)} alt="" /> : null;
}

/** An image of the playground is shown. One from elsewhere stays a link: the page fetches nothing from elsewhere. */
function EmbedImage({ image, class: name }: EmbedImageProps) {
	const url = URL.parse(image.proxy_url ?? image.url);
	if (!url) return null;
	if (isOwnMedia(url))
		return (
			<img class={name} src={mediaPath(url.href)} alt="" loading="lazy" width={image.width} height={image.height} />
		);
	const text = `Image at ${url.host}`;
	return (
		<p class="note">
			<MaybeLink url={url.href} text={text} />
		</p>
	);
}
