/** Plans how a file gets its mark, by its type. */
import { open } from "node:fs/promises";
import { planJpeg } from "./jpeg.ts";
import {
	addedBytesOf,
	headReader,
	OutOfReachError,
	UNSUPPORTED,
	type MarkPlan,
	type PartReader,
	type TailMark,
} from "./mark-edits.ts";
import { planMp3 } from "./mp3.ts";
import { mp4Tail, planMp4 } from "./mp4.ts";
import { planPng } from "./png.ts";
import { planWebp } from "./webp.ts";
import type { MediaMark } from "./xmp.ts";

const PLANNERS: Readonly<Record<string, (file: PartReader, mark: MediaMark) => Promise<MarkPlan>>> = {
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
async function planMark(contentType: string, file: PartReader, mark: MediaMark): Promise<MarkPlan> {
	const plan = PLANNERS[contentType];
	if (!plan) return UNSUPPORTED;
	try {
		return await plan(file, mark);
	} catch (error) {
		if (error instanceof OutOfReachError || !isDamage(error)) throw error;
		return UNSUPPORTED;
	}
}

/** The way in which a file gets its mark during its download. */
export type StreamPlan =
	| { readonly kind: "edits"; readonly plan: MarkPlan; readonly addedBytes: number }
	| { readonly kind: "tail"; readonly tail: TailMark; readonly addedBytes: number };

/** Plans from the first bytes of a file. `undefined` if they do not suffice. */
export async function planMarkOfHead(
	contentType: string,
	head: Buffer,
	{ isEnd, mark }: { readonly isEnd: boolean; readonly mark: MediaMark },
): Promise<StreamPlan | undefined> {
	if (!isEnd && PLANNERS[contentType] === planMp4) {
		const tail = mp4Tail(head, mark);
		return tail && { kind: "tail", tail, addedBytes: tail.insert.byteLength };
	}
	try {
		const plan = await planMark(contentType, headReader(head), mark);
		return { kind: "edits", plan, addedBytes: addedBytesOf(plan) };
	} catch (error) {
		if (!(error instanceof OutOfReachError)) throw error;
		return isEnd ? { kind: "edits", plan: UNSUPPORTED, addedBytes: 0 } : undefined;
	}
}

/** The same for a whole file on disk: bytes out of reach mean that it is damaged. Never reads the media data. */
export async function planMarkOfFile(contentType: string, path: string, mark: MediaMark): Promise<MarkPlan> {
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
		if (error instanceof OutOfReachError) return UNSUPPORTED;
		throw error;
	}
}

/** A value of the file that cannot be decoded. */
function isDamage(error: unknown): boolean {
	return (
		error instanceof RangeError || (error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))
	);
}
