import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { IMAGE_PIXELS_MAX, rejectTooManyPixels, UnusableFileError } from "../../unusable-file.ts";
import type { TranscodeChange, TranscodeJob, TranscodeReply } from "../worker-messages.ts";
import { hasSeveralFrames, readHeadAndTail } from "../../detection/image-header.ts";
import { extensionOf } from "../../detection/embeddable-types.ts";
import { readStillFrame } from "./still-frame.ts";
import { searchEncoding, type Attempt, type EncodedImage, type LossRange } from "./search-encoding.ts";

/** All frames of an animation together: they are encoded as one image. */
const ANIMATION_PIXELS_MAX = 200_000_000;
/** WebP's maximum. */
const SIDE_MAX = 16_383;
/** The largest scale with the least memory: the encoder's memory grows with the pixels. */
const SCALE_MAX_LEAST_MEMORY = 0.5;
/** The smallest size of lossless WebP, as a share of another lossless format. If that exceeds the limit, it is not tried. */
const LOSSLESS_SHARE_MIN = 0.65;
const STILL_RANGE = { qualityBest: 95, qualityGood: 82, qualityLeast: 30, attemptsMax: 7 } as const;
/** The longer side of the smallest acceptable image; and if even that does not fit, of the smallest recognizable one. */
const STILL_SIDES_LEAST = [480, 64] as const;
const ANIMATION_RANGE = { qualityBest: 85, qualityGood: 70, qualityLeast: 30, attemptsMax: 6 } as const;
const ANIMATION_SIDE_LEAST = 160;

interface SourceImage {
	/** Opens the image again for each attempt; upright unless it is animated. */
	readonly read: () => Sharp;
	/** Opens the first frame only. */
	readonly readFirst: () => Sharp;
	readonly width: number;
	readonly height: number;
	/** True if more than one frame is encoded. */
	readonly isAnimated: boolean;
	/** True if the source is animated. */
	readonly wasAnimated: boolean;
	readonly isLossless: boolean;
}

/** Converts an image to WebP, or checks one that Discord displays and that fits. Throws `UnusableFileError`. */
export async function transcodeImage(job: TranscodeJob, sourceBytes: number): Promise<TranscodeReply> {
	const image = await openImage(job, sourceBytes);
	const { contentType, expected } = job;
	// An animation counts as a video: some services generate no other videos.
	if (expected === "video" && !image.wasAnimated)
		throw new UnusableFileError({ kind: "wrongMediaType", expected, found: "image", contentType });
	if (isOnlyChecked(job, sourceBytes)) {
		await rejectUndecodable(image);
		return { kind: "unchanged" };
	}
	if (image.isAnimated) {
		const animation = await encode(job, image, rangeOf(image, ANIMATION_RANGE, ANIMATION_SIDE_LEAST));
		if (animation) return writeImage(job, image, animation);
	}
	return writeImage(job, image, await encodeStill(job, sourceBytes, image));
}

/** Returns whether an image is shown as it is, if it is not damaged. */
export function isOnlyChecked({ contentType, bytesMax }: TranscodeJob, sourceBytes: number): boolean {
	return sourceBytes <= bytesMax && extensionOf(contentType) !== undefined;
}

/** Transcodes one frame of a video. */
export async function transcodeFrame(job: TranscodeJob): Promise<TranscodeReply> {
	const image = await openFrame(job);
	const reply = await writeImage(job, image, await encodeStill(job, Number.POSITIVE_INFINITY, image));
	if (reply.kind !== "transcoded") return reply;
	return { ...reply, file: { ...reply.file, changes: [{ kind: "frame" }] } };
}

async function openImage(job: TranscodeJob, sourceBytes: number): Promise<SourceImage> {
	// The limit is checked here, so that the denial can name it.
	const options = { limitInputPixels: false, failOn: "error", sequentialRead: true } as const;
	const head = await sharp(job.path, options)
		.metadata()
		.catch(() => undefined);
	if (head === undefined) return openFrame(job);
	const { width, pages = 1, pageHeight: height = head.height } = head;
	rejectTooManyPixels(width * height, IMAGE_PIXELS_MAX);
	const hasReadableFrames = pages > 1 && head.format !== "tiff" && head.format !== "heif";
	const isAnimated = hasReadableFrames && width * height * pages <= ANIMATION_PIXELS_MAX;
	const isAnimatedPng =
		job.contentType === "image/apng" && hasSeveralFrames(await readHeadAndTail(job.path, sourceBytes));
	const readFirst = (): Sharp => sharp(job.path, options).autoOrient();
	return {
		// sharp stacks frames in one tall image, which cannot be rotated.
		read: () => (isAnimated ? sharp(job.path, { ...options, animated: true }) : readFirst()),
		readFirst,
		...(isAnimated ? { width, height } : { width: head.autoOrient.width, height: head.autoOrient.height }),
		isAnimated,
		// sharp reads only the first frame of an animated PNG.
		wasAnimated: hasReadableFrames || isAnimatedPng,
		isLossless: head.format !== "jpeg" && head.format !== "webp" && head.format !== "heif",
	};
}

/** Reads one frame with libav, for formats that sharp does not read. */
async function openFrame({ path, mediaKind, threads, memory }: TranscodeJob): Promise<SourceImage> {
	const { width, height, rgba } = await readStillFrame(path, {
		isImage: mediaKind === "image",
		threads,
		memory,
	});
	const read = (): Sharp => sharp(rgba, { raw: { width, height, channels: 4 }, limitInputPixels: false });
	return { read, readFirst: read, width, height, isAnimated: false, wasAnimated: false, isLossless: true };
}

/** Decodes every pixel, and throws for truncated and damaged files. */
async function rejectUndecodable({ read }: SourceImage): Promise<void> {
	await read().resize(16, 16, { fit: "fill", fastShrinkOnLoad: false }).raw().toBuffer().catch(rejectDamaged);
}

/** Encodes one frame: lossless if the source is and that fits, otherwise as well as possible. Throws if no recognizable image fits. */
async function encodeStill(
	{ bytesMax, memory }: TranscodeJob,
	sourceBytes: number,
	source: SourceImage,
): Promise<EncodedImage> {
	const image = { ...source, read: source.readFirst };
	const isTooLong = Math.max(image.width, image.height) > SIDE_MAX;
	if (memory === "normal" && image.isLossless && !isTooLong && sourceBytes * LOSSLESS_SHARE_MIN <= bytesMax) {
		const bytes = await image.read().webp({ lossless: true, effort: 2 }).toBuffer().catch(rejectDamaged);
		if (bytes.byteLength <= bytesMax) return { bytes, scale: 1, quality: 100 };
	}
	for (const sideLeast of STILL_SIDES_LEAST) {
		const found = await encode({ bytesMax, memory }, image, rangeOf(image, STILL_RANGE, sideLeast));
		if (found) return found;
	}
	throw new UnusableFileError({ kind: "tooLarge" });
}

function rangeOf({ width, height }: SourceImage, range: Omit<LossRange, "scaleLeast">, sideLeast: number): LossRange {
	const side = Math.max(width, height);
	// A small image may shrink a little, too; of a huge one, more than nothing remains.
	return { ...range, scaleLeast: Math.min(0.9, Math.max(0.005, sideLeast / side)) };
}

function encode(
	{ bytesMax, memory }: Pick<TranscodeJob, "bytesMax" | "memory">,
	image: SourceImage,
	range: LossRange,
): Promise<EncodedImage | undefined> {
	const side = Math.max(image.width, image.height);
	const scaleMax = Math.min(SIDE_MAX / side, memory === "least" ? SCALE_MAX_LEAST_MEMORY : 1);
	return searchEncoding(bytesMax, range, ({ scale: wantedScale, quality }: Attempt) => {
		const scale = Math.min(wantedScale, scaleMax);
		const source = image.read();
		const [width, height] = [image.width, image.height].map((each) => Math.max(1, Math.round(each * scale)));
		const sized = scale < 1 ? source.resize(width, height, { fit: "fill" }) : source;
		// Artifacts in transparency are more visible than in colors.
		const alphaQuality = quality >= range.qualityGood ? 100 : quality + 15;
		return sized.webp({ quality, alphaQuality, smartSubsample: true, effort: 4 }).toBuffer().catch(rejectDamaged);
	});
}

async function writeImage(
	job: TranscodeJob,
	image: SourceImage,
	{ bytes, scale, quality }: EncodedImage,
): Promise<TranscodeReply> {
	const path = join(job.folder, "image.webp");
	await writeFile(path, bytes);
	const changes: TranscodeChange[] = [];
	if (quality < 100) changes.push({ kind: "compressed" });
	const output = await sharp(bytes).metadata();
	if (scale < 1 || output.width < image.width) {
		changes.push({ kind: "smaller", width: output.width, height: output.pageHeight ?? output.height });
	}
	if (image.wasAnimated && (output.pages ?? 1) === 1) changes.push({ kind: "still" });
	const file = { path, sizeBytes: bytes.byteLength, contentType: "image/webp", extension: "webp", changes };
	return { kind: "transcoded", file };
}

function rejectDamaged(cause: unknown): never {
	throw new UnusableFileError({ kind: "damaged" }, { cause });
}
