/** The files of a message: images and videos in frames, all others as downloads, audio with a player. */
import { useSignal } from "@preact/signals";
import type { APIAttachment } from "discord-api-types/v10";
import type { ComponentChildren } from "preact";
import { useApp } from "./app-context.ts";
import { ATTACHMENT_SPOILER } from "./discord-constants.ts";
import { mediaKind, sizeText } from "./display-names.ts";
import { Icon } from "./icon.tsx";
import { mediaPath } from "./safe-urls.ts";

const FRAME_WIDTH_MAX = 560;
const FRAME_HEIGHT_MAX = 420;
const FRAME_WIDTH_MIN = 160;
const FOCUSABLE = "a[href], button, video, select";

export function Attachments({ attachments }: { attachments: readonly APIAttachment[] }) {
	const revealedIds = useSignal<readonly string[]>([]);
	const images = attachments.filter(
		(one) => mediaKind(one) === "image" && (!isSpoiler(one) || revealedIds.value.includes(one.id)),
	);
	const visual = attachments.filter((one) => ["image", "video"].includes(mediaKind(one)));
	const others = attachments.filter((one) => !visual.includes(one));
	const frames = visual.map((one) => (
		<Frame
			key={one.id}
			attachment={one}
			images={images}
			isAlone={visual.length === 1}
			onReveal={() => (revealedIds.value = [...revealedIds.value, one.id])}
		/>
	));
	return (
		<div class="attachments">
			{frames.length > 1 ? <div class="gallery">{frames}</div> : frames}
			{others.map((one) => (
				<FileRow key={one.id} attachment={one} />
			))}
		</div>
	);
}

interface FrameProps {
	readonly attachment: APIAttachment;
	/** The images of the viewer: those that are not covered. */
	readonly images: readonly APIAttachment[];
	readonly isAlone: boolean;
	readonly onReveal: () => void;
}

/** An image or a video, under a cover while it is a spoiler. */
function Frame(props: FrameProps) {
	const media = <MediaFrame {...props} />;
	return isSpoiler(props.attachment) ? <Spoiler onReveal={props.onReveal}>{media}</Spoiler> : media;
}

/** Covers its content until the user reveals it. */
export function Spoiler({ children, onReveal }: { children: ComponentChildren; onReveal?: () => void }) {
	const isCovered = useSignal(true);
	return (
		<div class={isCovered.value ? "covered" : "uncovered"}>
			<div tabIndex={-1} inert={isCovered.value}>
				{children}
			</div>
			{isCovered.value && (
				<button
					type="button"
					class="spoiler-button"
					onClick={({ currentTarget: { previousElementSibling: revealed } }) => {
						isCovered.value = false;
						onReveal?.();
						if (!(revealed instanceof HTMLElement)) return;
						// Inert elements cannot have the focus: wait for the render.
						setTimeout(() => (revealed.querySelector<HTMLElement>(FOCUSABLE) ?? revealed).focus());
					}}
				>
					<span>Spoiler</span>
				</button>
			)}
		</div>
	);
}

function MediaFrame({ attachment, images, isAlone }: FrameProps) {
	const { viewer } = useApp();
	const label = labelOf(attachment);
	const style = isAlone ? frameStyle(attachment) : {};
	const frame = { class: style ? "frame" : "frame unsized", style };
	const src = mediaPath(attachment.url);
	if (mediaKind(attachment) === "video")
		return (
			<div {...frame}>
				<video src={src} controls playsInline preload="metadata" aria-label={label} onPlay={pauseOthers} />
			</div>
		);
	return (
		<button
			type="button"
			{...frame}
			aria-label={`Enlarge: ${label}`}
			onClick={() => (viewer.value = { images, at: images.indexOf(attachment) })}
		>
			<img src={src} alt={label} loading="lazy" decoding="async" draggable={false} />
		</button>
	);
}

function FileRow({ attachment }: { attachment: APIAttachment }) {
	const { filename, url, size } = attachment;
	const isAudio = mediaKind(attachment) === "audio";
	return (
		<div class="row file">
			<Icon name={isAudio ? "music" : "file"} class="large" />
			<div class="file-text">
				<a class="file-name ellipsis" href={mediaPath(url)} download={filename} title={`Download ${filename}`}>
					{filename}
				</a>
				{size > 0 && <span class="note">{sizeText(size)}</span>}
				{isAudio && (
					<audio
						src={mediaPath(url)}
						controls
						controlsList="nodownload noplaybackrate"
						preload="metadata"
						aria-label={labelOf(attachment)}
						onPlay={pauseOthers}
					/>
				)}
			</div>
		</div>
	);
}

/** Only one song or video plays at a time. */
function pauseOthers({ currentTarget: started }: { readonly currentTarget: HTMLMediaElement }): void {
	for (const other of document.querySelectorAll<HTMLMediaElement>("audio, video")) if (other !== started) other.pause();
}

function labelOf({ description, filename }: APIAttachment): string {
	return description ?? filename;
}

function isSpoiler({ filename, flags }: APIAttachment): boolean {
	return filename.startsWith("SPOILER_") || ((flags ?? 0) & ATTACHMENT_SPOILER) !== 0;
}

/**
 * The size of the image, known before its first byte, so that nothing moves when it loads. `undefined` if the message does
 * not name it, as for media that a bot shows by URL.
 */
function frameStyle({ width, height }: APIAttachment): Record<string, string> | undefined {
	if (!width || !height) return undefined;
	const scale = Math.min(1, FRAME_WIDTH_MAX / width, FRAME_HEIGHT_MAX / height);
	const shownWidth = Math.max(FRAME_WIDTH_MIN, Math.round(width * scale));
	return { "--frame-width": `${shownWidth}px`, "--frame-ratio": `${width} / ${height}` };
}
