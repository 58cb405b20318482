/** One image over the whole page. Buttons and arrow keys show its neighbors. */
import { useSignal } from "@preact/signals";
import type { APIAttachment } from "discord-api-types/v10";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { Icon, IconButton } from "./icon.tsx";
import { mediaPath } from "./safe-urls.ts";

export function MediaViewer({ images, at: first }: { images: readonly APIAttachment[]; at: number }) {
	const { viewer } = useApp();
	const dialog = useRef<HTMLDialogElement>(null);
	const at = useSignal(first);
	useLayoutEffect(() => dialog.current?.showModal(), []);

	const image = images[at.value];
	if (!image) return null;
	const url = mediaPath(image.url);
	const isAlone = images.length === 1;
	const position = isAlone ? "" : ` (${at.value + 1} of ${images.length})`;
	const step = (by: 1 | -1): void => {
		at.value = (at.value + by + images.length) % images.length;
	};
	return (
		<dialog
			ref={dialog}
			class="lightbox"
			aria-label="Image"
			onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
			onKeyDown={({ key }) => {
				if (key === "ArrowRight") step(1);
				if (key === "ArrowLeft") step(-1);
			}}
			onClose={() => (viewer.value = null)}
		>
			<div class="row lightbox-bar">
				<span class="lightbox-title ellipsis" aria-live="polite">
					{image.filename + position}
				</span>
				<a class="icon-button" href={url} download={image.filename} aria-label="Download" title="Download">
					<Icon name="download" />
				</a>
				<a
					class="icon-button"
					href={url}
					target="_blank"
					rel="noopener"
					aria-label="Open in a new tab"
					title="Open in a new tab"
				>
					<Icon name="open" />
				</a>
				<IconButton icon="close" label="Close" onClick={() => dialog.current?.close()} />
			</div>
			{!isAlone && <IconButton icon="chevron" label="Previous" class="previous" onClick={() => step(-1)} />}
			<img src={url} alt={image.description ?? image.filename} draggable={false} />
			{!isAlone && <IconButton icon="chevron" label="Next" class="next" onClick={() => step(1)} />}
		</dialog>
	);
}
