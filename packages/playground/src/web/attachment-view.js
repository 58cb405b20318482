/**
 * Files that came with a message: pictures in a frame of the right shape before they have loaded, films and songs that
 * play in place, everything else as a row to download.
 *
 * @import { APIAttachment } from "discord-api-types/v10"
 */
import { ownAddress } from "./addresses.js";
import { h, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { openLightbox } from "./lightbox.js";
import { hueOf, mediaKind, sizeText } from "./names.js";
import { durationText } from "./time.js";

/** How large one picture or film may stand in the conversation. */
const FRAME_WIDTH_MAX = 560;
const FRAME_HEIGHT_MAX = 420;
const SPOILER = 1 << 5;

/** @param {readonly APIAttachment[]} attachments */
export function attachmentsView(attachments) {
	const visual = attachments.filter((attachment) => ["image", "video"].includes(mediaKind(attachment)));
	const images = visual.filter((attachment) => mediaKind(attachment) === "image");
	const alone = visual.length === 1;
	const frames = visual.map((attachment) => {
		const view = mediaKind(attachment) === "image" ? imageView(attachment, images, alone) : videoView(attachment);
		return isSpoiler(attachment) ? covered(view) : view;
	});
	const rows = attachments
		.filter((attachment) => !visual.includes(attachment))
		.map((attachment) => (mediaKind(attachment) === "audio" ? audioView(attachment) : fileView(attachment)));
	return h(
		"div.attachments",
		null,
		alone ? frames : frames.length > 0 && h("div", { class: `gallery gallery-${Math.min(frames.length, 5)}` }, frames),
		rows,
	);
}

/**
 * @param {APIAttachment} attachment
 * @param {readonly APIAttachment[]} siblings
 * @param {boolean} alone
 */
function imageView(attachment, siblings, alone) {
	const label = attachment.description ?? attachment.filename;
	const image = h("img", {
		src: ownAddress(attachment.url),
		alt: label,
		loading: "lazy",
		decoding: "async",
		draggable: "false",
	});
	const frame = h(
		"button.frame",
		{
			type: "button",
			"aria-label": `Enlarge: ${label}`,
			style: alone ? frameStyle(attachment) : {},
			onclick: () => openLightbox(siblings, siblings.indexOf(attachment), ownAddress),
		},
		image,
	);
	const settle = () => frame.classList.add("loaded");
	if (image.complete) settle();
	image.addEventListener("load", settle);
	image.addEventListener("error", () => frame.replaceWith(missingView(attachment)));
	return frame;
}

/** @param {APIAttachment} attachment */
function videoView(attachment) {
	const video = h("video", {
		src: ownAddress(attachment.url),
		controls: true,
		playsinline: true,
		preload: "metadata",
		"aria-label": attachment.description ?? attachment.filename,
	});
	const frame = h("div.frame.film", { style: frameStyle(attachment) }, video);
	video.addEventListener("loadedmetadata", () => frame.classList.add("loaded"));
	video.addEventListener("error", () => frame.replaceWith(missingView(attachment)));
	return frame;
}

/** @param {APIAttachment} attachment */
function audioView(attachment) {
	const audio = h("audio", {
		src: ownAddress(attachment.url),
		controls: true,
		preload: "metadata",
		controlslist: "nodownload noplaybackrate",
		"aria-label": attachment.description ?? attachment.filename,
	});
	const size = attachment.size > 0 ? [sizeText(attachment.size)] : [];
	const details = h("span.file-size", null, size);
	const row = h(
		"figure.player",
		{ style: { "--hue": String(hueOf(attachment.id)) } },
		h("span.cover", null, icon(ICONS.music)),
		h(
			"div.player-body",
			null,
			h(
				"figcaption.player-head",
				null,
				h("span.file-name", { title: attachment.filename }, attachment.filename),
				details,
				downloadLink(attachment),
			),
			audio,
		),
	);
	audio.addEventListener("loadedmetadata", () => {
		if (Number.isFinite(audio.duration)) details.textContent = [durationText(audio.duration), ...size].join(" · ");
	});
	audio.addEventListener("play", () => {
		row.classList.add("playing");
		for (const other of document.querySelectorAll("audio, video")) {
			if (other !== audio && other instanceof HTMLMediaElement) other.pause();
		}
	});
	for (const event of ["pause", "ended"]) audio.addEventListener(event, () => row.classList.remove("playing"));
	audio.addEventListener("error", () => row.replaceWith(missingView(attachment)));
	return row;
}

/** @param {APIAttachment} attachment */
function fileView(attachment) {
	return h(
		"div.file",
		null,
		icon(ICONS.file, "icon large"),
		h(
			"div.file-text",
			null,
			h("a.file-name", { href: ownAddress(attachment.url), download: attachment.filename }, attachment.filename),
			attachment.size > 0 && h("span.file-size", null, sizeText(attachment.size)),
		),
		downloadLink(attachment),
	);
}

/** @param {APIAttachment} attachment */
function missingView(attachment) {
	return h(
		"div.file.missing",
		null,
		icon(ICONS.alert, "icon large"),
		h("div.file-text", null, h("span.file-name", null, attachment.filename), "This file can no longer be shown."),
	);
}

/** @param {APIAttachment} attachment */
function downloadLink(attachment) {
	return h(
		"a.icon-button.small",
		{
			href: ownAddress(attachment.url),
			download: attachment.filename,
			"aria-label": `Download ${attachment.filename}`,
			title: "Download",
		},
		icon(ICONS.download),
	);
}

/** @param {HTMLElement} view */
function covered(view) {
	const cover = h("button.cover-up", { type: "button" }, h("span", null, "Spoiler"));
	const holder = h("div.covered", null, view, cover);
	view.inert = true;
	cover.addEventListener("click", () => {
		holder.replaceWith(view);
		view.inert = false;
		view.focus();
	});
	return holder;
}

/** @param {APIAttachment} attachment */
function isSpoiler({ filename, flags }) {
	return filename.startsWith("SPOILER_") || ((flags ?? 0) & SPOILER) !== 0;
}

/**
 * The room a picture will take, known before its first byte, so that nothing jumps when it arrives.
 *
 * @param {APIAttachment} attachment
 * @returns {Record<string, string>}
 */
function frameStyle({ width, height }) {
	if (!width || !height) return { "--frame-width": "400px", "--frame-ratio": "4 / 3" };
	const scale = Math.min(1, FRAME_WIDTH_MAX / width, FRAME_HEIGHT_MAX / height);
	return { "--frame-width": `${Math.max(160, Math.round(width * scale))}px`, "--frame-ratio": `${width} / ${height}` };
}
