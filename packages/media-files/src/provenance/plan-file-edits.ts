/** Plans the edits of a file that insert its provenance mark, by the type of the file. */
import { open } from "node:fs/promises";
import { planJpeg } from "./jpeg.ts";
import { headReader, OutOfReachError, UNSUPPORTED, type MarkPlan, type PartReader } from "./file-edits.ts";
import { planMp3 } from "./mp3.ts";
import { planMp4, planMp4OfHead } from "./mp4.ts";
import { planPng } from "./png.ts";
import { planWebp } from "./webp.ts";
import type { ProvenanceMark } from "./xmp.ts";

const PLANNERS: Readonly<Record<string, (file: PartReader, mark: ProvenanceMark) => Promise<MarkPlan>>> = {
	"image/png": planPng,
	"image/apng": planPng,
	"image/jpeg": planJpeg,
	"image/webp": planWebp,
	"video/mp4": planMp4,
	"audio/mp4": planMp4,
	"audio/x-m4a": planMp4,
	"audio/mpeg": planMp3,
};

/** Resolves to "unsupported" for other types and for damaged files. Throws `OutOfReachError` if the reader lacks bytes. */
async function planMark(contentType: string, file: PartReader, mark: ProvenanceMark): Promise<MarkPlan> {
	const plan = PLANNERS[contentType];
	if (!plan) return UNSUPPORTED;
	try {
		return await plan(file, mark);
	} catch (error) {
		if (isDamage(error)) return UNSUPPORTED;
		throw error;
	}
}

/** Plans from the first bytes of a file. Resolves to `undefined` if they do not suffice, or contain the mark of a longer MP4. */
export async function planMarkOfHead(
	contentType: string,
	head: Buffer,
	{ isWholeFile, mark }: { readonly isWholeFile: boolean; readonly mark: ProvenanceMark },
): Promise<MarkPlan | undefined> {
	if (!isWholeFile && PLANNERS[contentType] === planMp4) return planMp4OfHead(head, mark);
	try {
		return await planMark(contentType, headReader(head), mark);
	} catch (error) {
		if (!(error instanceof OutOfReachError)) throw error;
		return isWholeFile ? UNSUPPORTED : undefined;
	}
}

/** Plans the mark of a complete file on disk. Never reads the media data. */
export async function planMarkOfFile(contentType: string, path: string, mark: ProvenanceMark): Promise<MarkPlan> {
	await using file = await open(path);
	const reader: PartReader = {
		async read(at, lengthBytes) {
			const { buffer, bytesRead } = await file.read(Buffer.alloc(lengthBytes), 0, lengthBytes, at);
			if (bytesRead < lengthBytes) throw new OutOfReachError("beyond the end of the file");
			return buffer;
		},
	};
	try {
		return await planMark(contentType, reader, mark);
	} catch (error) {
		// A complete file that ends too early is damaged.
		if (error instanceof OutOfReachError) return UNSUPPORTED;
		throw error;
	}
}

/** Returns whether a planner failed on a damaged file: by a read beyond its buffer, or by zlib, whose codes begin with `Z_`. */
function isDamage(error: unknown): boolean {
	if (error instanceof RangeError) return true;
	return error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
}
