/** The files of a message: images and videos in frames, audio in players, all others as downloads. */
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import type { APIAttachment } from "discord-api-types/v10";
import type { ComponentChildren } from "preact";
import { useApp } from "./app-context.ts";
import { ATTACHMENT_SPOILER } from "./discord-constants.ts";
import { hueOf, mediaKind, sizeText } from "./display-names.ts";
import { Icon } from "./icon.tsx";
import { mediaPath } from "./safe-urls.ts";
import { durationText } from "./time.ts";

const FRAME_WIDTH_MAX = 560;
const FRAME_HEIGHT_MAX = 420;
const FRAME_WIDTH_MIN = 160;
const GALLERY_COLUMNS_MAX = 5;

export function Attachments({ attachments }: { attachments: readonly APIAttachment[] }) {
	const images = attachments.filter((one) => mediaKind(one) === "image");
	const visual = attachments.filter((one) => ["image", "video"].includes(mediaKind(one)));
	const others = attachments.filter((one) => !visual.includes(one));
	const frames = visual.map((one) => (
		<Frame key={one.id} attachment={one} images={images} isAlone={visual.length === 1} />
	));
	return (
		<div class="attachments">
			{frames.length > 1 ? (
				<div class={`gallery gallery-${Math.min(frames.length, GALLERY_COLUMNS_MAX)}`}>{frames}</div>
			) : (
				frames
			)}
			{others.map((one) =>
				mediaKind(one) === "audio" ? (
					<AudioPlayer key={one.id} attachment={one} />
				) : (
					<FileRow key={one.id} attachment={one} />
				),
			)}
		</div>
	);
}

interface FrameProps {
	readonly attachment: APIAttachment;
	readonly images: readonly APIAttachment[];
	readonly isAlone: boolean;
}

/** An image or a video, under a cover while it is a spoiler. */
function Frame(props: FrameProps) {
	const { attachment } = props;
	const isMissing = useIsMissing();
	if (isMissing.value) return <MissingFile attachment={attachment} />;
	const media = <Media {...props} onMissing={() => (isMissing.value = true)} />;
	return isSpoiler(attachment) ? <Spoiler>{media}</Spoiler> : media;
}

/** Covers its content until the user reveals it. */
export function Spoiler({ children }: { children: ComponentChildren }) {
	const isCovered = useSignal(true);
	return (
		<div class={isCovered.value ? "covered" : "uncovered"}>
			<div inert={isCovered.value}>{children}</div>
			{isCovered.value && (
				<button
					type="button"
					class="cover-up"
					onClick={({ currentTarget: { previousElementSibling: revealed } }) => {
						isCovered.value = false;
						// Inert elements cannot have the focus: wait for the render.
						setTimeout(() => revealed?.querySelector<HTMLElement>("button, video")?.focus());
					}}
				>
					<span>Spoiler</span>
				</button>
			)}
		</div>
	);
}

function Media({ attachment, images, isAlone, onMissing }: FrameProps & { onMissing: () => void }) {
	const { viewer } = useApp();
	const isLoaded = useSignal(false);
	const label = labelOf(attachment);
	const frame = { class: `frame ${isLoaded.value ? "loaded" : ""}`, style: isAlone ? frameStyle(attachment) : {} };
	const media = { src: mediaPath(attachment.url), onError: onMissing };
	const onLoaded = (): void => {
		isLoaded.value = true;
	};
	if (mediaKind(attachment) === "video")
		return (
			<div {...frame}>
				<video {...media} controls playsInline preload="metadata" aria-label={label} onLoadedMetadata={onLoaded} />
			</div>
		);
	return (
		<button
			type="button"
			{...frame}
			aria-label={`Enlarge: ${label}`}
			onClick={() => (viewer.value = { images, at: images.indexOf(attachment) })}
		>
			<img {...media} alt={label} loading="lazy" decoding="async" draggable={false} onLoad={onLoaded} />
		</button>
	);
}

function AudioPlayer({ attachment }: { attachment: APIAttachment }) {
	const isMissing = useIsMissing();
	const isPlaying = useSignal(false);
	const duration = useSignal("");
	if (isMissing.value) return <MissingFile attachment={attachment} />;
	const { filename, size } = attachment;
	return (
		<figure class={`player ${isPlaying.value ? "playing" : ""}`} style={{ "--hue": String(hueOf(attachment.id)) }}>
			<span class="cover">
				<Icon name="music" />
			</span>
			<div class="player-body">
				<figcaption class="player-head">
					<span class="file-name ellipsis" title={filename}>
						{filename}
					</span>
					<span class="file-size">{[duration.value, size > 0 && sizeText(size)].filter(Boolean).join(" · ")}</span>
					<DownloadLink attachment={attachment} />
				</figcaption>
				<audio
					src={mediaPath(attachment.url)}
					controls
					controlsList="nodownload noplaybackrate"
					preload="metadata"
					aria-label={labelOf(attachment)}
					onLoadedMetadata={({ currentTarget: { duration: seconds } }) => {
						if (Number.isFinite(seconds)) duration.value = durationText(seconds);
					}}
					onPlay={({ currentTarget }) => {
						isPlaying.value = true;
						for (const other of document.querySelectorAll<HTMLMediaElement>("audio, video"))
							if (other !== currentTarget) other.pause();
					}}
					onPause={() => (isPlaying.value = false)}
					onEnded={() => (isPlaying.value = false)}
					onError={() => (isMissing.value = true)}
				/>
			</div>
		</figure>
	);
}

function FileRow({ attachment }: { attachment: APIAttachment }) {
	const { filename, url, size } = attachment;
	return (
		<FileBox icon="file">
			<a class="file-name ellipsis" href={mediaPath(url)} download={filename}>
				{filename}
			</a>
			{size > 0 && <span class="file-size">{sizeText(size)}</span>}
			<DownloadLink attachment={attachment} />
		</FileBox>
	);
}

function MissingFile({ attachment }: { attachment: APIAttachment }) {
	return (
		<FileBox icon="alert">
			<span class="file-name ellipsis">{attachment.filename}</span>
			This file can no longer be shown.
		</FileBox>
	);
}

function FileBox({ icon, children }: { icon: "file" | "alert"; children: ComponentChildren }) {
	return (
		<div class="file">
			<Icon name={icon} class="large" />
			<div class="file-text">{children}</div>
		</div>
	);
}

function DownloadLink({ attachment: { url, filename } }: { attachment: APIAttachment }) {
	return (
		<a
			class="icon-button small"
			href={mediaPath(url)}
			download={filename}
			aria-label={`Download ${filename}`}
			title="Download"
		>
			<Icon name="download" />
		</a>
	);
}

/** Tells if a file failed to load. After a reconnection it is loaded again. */
function useIsMissing(): Signal<boolean> {
	const { connection } = useApp().state;
	const isMissing = useSignal(false);
	useSignalEffect(() => {
		if (connection.value === "live") isMissing.value = false;
	});
	return isMissing;
}

function labelOf({ description, filename }: APIAttachment): string {
	return description ?? filename;
}

function isSpoiler({ filename, flags }: APIAttachment): boolean {
	return filename.startsWith("SPOILER_") || ((flags ?? 0) & ATTACHMENT_SPOILER) !== 0;
}

/** The size of the image, known before its first byte, so that nothing moves when it loads. */
function frameStyle({ width, height }: APIAttachment): Record<string, string> {
	if (!width || !height) return { "--frame-width": "400px", "--frame-ratio": "4 / 3" };
	const scale = Math.min(1, FRAME_WIDTH_MAX / width, FRAME_HEIGHT_MAX / height);
	const shownWidth = Math.max(FRAME_WIDTH_MIN, Math.round(width * scale));
	return { "--frame-width": `${shownWidth}px`, "--frame-ratio": `${width} / ${height}` };
}
