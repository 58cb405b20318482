/** The preview of the result of a job. */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Job } from "../../src/schemas/jobs.ts";
import { addressOf } from "./api-addresses.ts";
import { useApp, useServer } from "./app-context.ts";
import { Icon } from "./icon.tsx";

/** Shows the first file of a public result; otherwise the icon of the media type, or a lock for a private result. */
export function JobPreview({ job }: { readonly job: Job }) {
	const { t, tabReturns } = useApp();
	const { params } = useServer();
	const { files, isPrivate, isSpoiler, mediaType } = job;
	const isRevealed = useSignal(false);
	const isMissing = useSignal(false);
	const url = addressOf("jobPreview", { params: { ...params, job: job.id } });
	const revealed = useRef<HTMLDivElement>(null);
	useLayoutEffect(() => {
		// The button that had the focus is gone.
		if (isSpoiler) revealed.current?.focus();
	}, [isRevealed.value]);
	const onMissing = (): void => void (isMissing.value = true);
	useEffect(() => void (isMissing.value = false), [tabReturns.value]);
	if (files === 0 || isMissing.value) {
		const missing = files === 0 ? isPrivate && t("dashboard.jobPrivateBadge") : t("dashboard.previewMissing");
		return (
			<div class="preview none">
				<Icon name={isPrivate ? "lock" : mediaType} />
				{missing && <span>{missing}</span>}
			</div>
		);
	}
	if (isSpoiler && !isRevealed.value)
		return (
			<button type="button" class="preview none" onClick={() => (isRevealed.value = true)}>
				<Icon name={mediaType} />
				<span>{t("dashboard.previewSpoiler")}</span>
			</button>
		);
	return (
		<div ref={revealed} class="preview" tabIndex={-1}>
			{mediaType === "image" ? (
				<img src={url} alt={job.prompt ?? ""} loading="lazy" decoding="async" onError={onMissing} />
			) : (
				<Player job={job} url={url} onMissing={onMissing} />
			)}
			{files > 1 && <span class="preview-count">{t("dashboard.previewFiles", { count: files })}</span>}
		</div>
	);
}

interface PlayerProps {
	readonly job: Job;
	readonly url: string;
	readonly onMissing: () => void;
}

/** Runs once per element: a function of its own for each rendering would take the focus again and again. */
const takeFocus = (media: HTMLMediaElement | null): void => media?.focus();

/** Loads the file when the reader asks for it: many videos at once would take long. */
function Player({ job: { mediaType, prompt }, url, onMissing }: PlayerProps) {
	const { t } = useApp();
	const isOpen = useSignal(false);
	if (!isOpen.value)
		return (
			<button
				type="button"
				class="preview-play"
				aria-label={t("dashboard.previewPlay", { name: prompt ?? "" })}
				onClick={() => (isOpen.value = true)}
			>
				<Icon name="play" />
			</button>
		);
	const media = {
		ref: takeFocus,
		src: url,
		"aria-label": prompt ?? "",
		controls: true,
		autoplay: true,
		onError: onMissing,
	};
	return mediaType === "video" ? <video {...media} playsInline /> : <audio {...media} />;
}
