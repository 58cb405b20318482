import type { Logger } from "pino";
import { UserError } from "../../user-error.ts";
import type { TranscodeReply, TranscodeJob, TranscodedFile, MediaKind, TranscodeRefusal } from "./transcode-job.ts";
import { TranscodeFailedError, type TranscodeWorkerPool } from "./worker-pool.ts";
import type { TempDir } from "../temp-dir.ts";
import { readImageHeader } from "./image-header.ts";
import { readHeadAndTail } from "./read-head-tail.ts";
import { isAnimated } from "./animation.ts";
import { detectType, type DetectedType } from "./detect-type.ts";
import { extensionOf } from "./embeddable-types.ts";

/** A file on the disk, wherever it came from and whatever it is said to be. */
interface FitOrder {
	readonly path: string;
	readonly sizeBytes: number;
	readonly bytesMax: number;
	/** What it has to be, where it came from a service; anything goes without it. */
	readonly expected?: MediaKind;
	/** Something of the same result is fitted already, and would be lost if this were put off. */
	readonly isUnderWay?: boolean;
}

/** What to send. Its file is removed when it is disposed of. */
export type Transcoded = AsyncDisposable &
	FittedParts & {
		/** Of a picture that says how large it is. */
		readonly pixels?: number;
	};

type FittedParts =
	| { readonly kind: "asItIs"; readonly contentType: string; readonly ending: string }
	/** `preview`: the whole does not fit, and this shows what it is. */
	| ({ readonly kind: "reencoded" | "preview" } & TranscodedFile);

/** Makes of any media file one that Discord takes and shows in place. Never answers with more than `bytesMax`. */
export interface Transcoder {
	/**
	 * Throws a `WrongMediumError` where it is no file of what was expected, another `UserError` where it is of no use, and `TranscodeQueueFullError` where too many others wait. Rejects with the signal's reason when aborted. Whenever it rejects, the
	 * work has ended and nothing of it is left on the disk.
	 */
	fit(order: FitOrder, logger: Logger, signal: AbortSignal): Promise<Transcoded>;
}

interface FitterDeps {
	readonly processes: TranscodeWorkerPool;
	readonly scratch: TempDir;
	/** For the encoders of one job. */
	readonly threads: number;
}

type WrongMedium = Omit<Extract<TranscodeRefusal, { kind: "wrongMedium" }>, "kind">;

/** By its content, a file is not what was asked for. */
export class WrongMediumError extends UserError<"resultWrongMedium"> {
	readonly found: MediaKind;
	readonly contentType: string;

	constructor({ expected, found, contentType }: WrongMedium) {
		super({ key: "resultWrongMedium", params: { mediaType: MEDIA_TYPES_OF[expected] } });
		this.found = found;
		this.contentType = contentType;
	}
}

const MEDIA_TYPES_OF = { picture: "image", film: "video", sound: "music" } as const;

interface Source extends FitOrder {
	readonly kind: MediaKind;
	readonly contentType: string;
}

const FIT_DEADLINE_MS = 8 * 60_000;
const PREVIEW_DEADLINE_MS = 60_000;
const MIB = 1024 * 1024;

export function createTranscoder({ processes, scratch, threads }: FitterDeps): Transcoder {
	function run(
		task: TranscodeJob["task"],
		source: Source,
		folder: string,
		signal: AbortSignal,
	): Promise<TranscodeReply> {
		const { isUnderWay = false } = source;
		const job = jobOf(task, source, folder);
		if (task === "fit") return processes.run(job, { deadlineMs: FIT_DEADLINE_MS, isUnderWay }, signal);
		// It has had a turn, which took minutes.
		return processes.run(job, { deadlineMs: PREVIEW_DEADLINE_MS, isUnderWay: true }, signal);
	}

	function jobOf(task: TranscodeJob["task"], source: Source, folder: string): TranscodeJob {
		const { kind, contentType, path, bytesMax, expected } = source;
		return { task, kind, contentType, path, folder, bytesMax, threads, ...(expected && { expected }) };
	}

	/** What has no answer is no reason to give up: what took too long may still be shown in part. */
	async function tryToFit(
		source: Source,
		folder: string,
		logger: Logger,
		signal: AbortSignal,
	): Promise<TranscodeReply> {
		try {
			return await run("fit", source, folder, signal);
		} catch (error) {
			if (!(error instanceof TranscodeFailedError)) throw error;
			logger.warn({ err: error, ...described(source) }, "file not fitted");
			switch (error.failure) {
				case "overLimit":
					return { kind: "unfit", why: { kind: "tooLarge" } };
				case "crashed":
					return { kind: "unfit", why: { kind: "damaged" } };
				case "killed":
					return await tryWithLessMemory(source, folder, logger, signal);
			}
		}
	}

	/** A process that was killed says nothing of the file: once more, with what takes less memory. */
	async function tryWithLessMemory(
		source: Source,
		folder: string,
		logger: Logger,
		signal: AbortSignal,
	): Promise<TranscodeReply> {
		const job: TranscodeJob = { ...jobOf("fit", source, folder), threads: 1, lowMemory: true };
		try {
			return await processes.run(job, { deadlineMs: FIT_DEADLINE_MS, isUnderWay: true }, signal);
		} catch (error) {
			if (!(error instanceof TranscodeFailedError)) throw error;
			// Of what crashes only now, nothing is known either: its first try was ended for want of memory.
			const { failure, signal: killedBy } = error;
			const what = { err: error, failure, killedBy, ...described(source) };
			logger.error(what, "not enough memory to transcode a file, also with less threads and a smaller picture");
			return { kind: "unfit", why: { kind: failure === "overLimit" ? "tooLarge" : "notEnoughMemory" } };
		}
	}

	async function preview(
		source: Source,
		folder: string,
		logger: Logger,
		signal: AbortSignal,
	): Promise<TranscodedFile | undefined> {
		if (source.kind === "picture") return undefined;
		try {
			const answer = await run("preview", source, folder, signal);
			return answer.kind === "made" ? answer.file : undefined;
		} catch (error) {
			if (!(error instanceof TranscodeFailedError)) throw error;
			logger.warn({ err: error, ...described(source) }, "file not shown in part");
			return undefined;
		}
	}

	async function reencode(source: Source, folder: string, logger: Logger, signal: AbortSignal): Promise<FittedParts> {
		const startedMs = performance.now();
		const answer = await tryToFit(source, folder, logger, signal);
		const { contentType } = source;
		switch (answer.kind) {
			case "asItIs":
				return { kind: "asItIs", contentType, ending: extensionOf(contentType) ?? "bin" };
			case "made": {
				const { sizeBytes: fittedBytes, changes } = answer.file;
				const tookMs = Math.round(performance.now() - startedMs);
				logger.info({ ...described(source), fittedBytes, changes, tookMs }, "file fitted");
				return { kind: "reencoded", ...checked(answer.file, source) };
			}
			case "unfit": {
				const shown = answer.why.kind === "tooLarge" ? await preview(source, folder, logger, signal) : undefined;
				if (shown === undefined) throw refusalOf(answer.why, source);
				logger.info({ ...described(source), fittedBytes: shown.sizeBytes }, "file does not fit, shown in part");
				return { kind: "preview", ...checked(shown, source) };
			}
		}
	}

	return {
		async fit(order, logger, signal) {
			const { path, sizeBytes, bytesMax } = order;
			const found = await detectType(path, sizeBytes);
			if (found.kind === "unfit") throw refusalOf(found.why, order);
			const { contentType } = found;
			await requireExpected(order, found);
			if (found.kind === "shown" && sizeBytes <= bytesMax) {
				const { ending, pixels } = found;
				const file = { kind: "asItIs", contentType, ending, ...(pixels !== undefined && { pixels }) } as const;
				return { ...file, [Symbol.asyncDispose]: nothingToRemove };
			}
			const folder = await scratch.open();
			try {
				const source = { ...order, kind: found.mediaKind, contentType };
				const fitted = await reencode(source, folder, logger, signal);
				const made = fitted.kind === "asItIs" ? { path, sizeBytes } : fitted;
				const pixels = await pixelsOf(made.path, fitted.contentType, made.sizeBytes);
				return { ...fitted, ...pixels, [Symbol.asyncDispose]: () => scratch.remove(folder) };
			} catch (error) {
				await scratch.remove(folder);
				throw error;
			}
		},
	};
}

/** Whether a container for films holds one or sound alone is told by the process that opens it, except of an MP4. */
async function requireExpected(
	{ path, expected }: FitOrder,
	{ kind, mediaKind, contentType }: Exclude<DetectedType, { kind: "unfit" }>,
): Promise<void> {
	if (expected === undefined || expected === mediaKind) return;
	if (kind === "media" && mediaKind === "film" && expected === "sound") return;
	// What moves is what a member of a chat calls a video, and some services make nothing else.
	if (expected === "film" && mediaKind === "picture" && (await isAnimated(path, contentType))) return;
	throw new WrongMediumError({ expected, found: mediaKind, contentType });
}

async function pixelsOf(path: string, contentType: string, sizeBytes: number): Promise<Pick<Transcoded, "pixels">> {
	if (!contentType.startsWith("image/")) return {};
	const head = readImageHeader(contentType, await readHeadAndTail(path, sizeBytes));
	return head ? { pixels: head.width * head.height } : {};
}

async function nothingToRemove(): Promise<void> {}

function described({ kind, contentType, sizeBytes, bytesMax }: Source) {
	return { mediaKind: kind, contentType, sizeBytes, bytesMax };
}

/** The one promise that nothing may break. */
function checked(file: TranscodedFile, { bytesMax }: FitOrder): TranscodedFile {
	if (file.sizeBytes > bytesMax) throw new Error(`fitted to ${file.sizeBytes} bytes where ${bytesMax} were allowed`);
	return file;
}

function refusalOf(why: TranscodeRefusal, { sizeBytes, bytesMax }: Pick<Source, "sizeBytes" | "bytesMax">): UserError {
	switch (why.kind) {
		case "wrongMedium":
			return new WrongMediumError(why);
		case "damaged":
			return new UserError({ key: "resultDamaged" });
		case "strange":
			return new UserError({ key: "resultStrange" });
		case "tooManyPixels":
			return new UserError({ key: "resultTooManyPixels", params: { megapixels: why.megapixels } });
		case "tooLarge":
			return new UserError({
				key: "resultTooLarge",
				params: { sizeMiB: inMiB(sizeBytes), limitMiB: inMiB(bytesMax) },
			});
		case "notEnoughMemory":
			return new UserError({
				key: "resultNeedsMoreMemory",
				params: { sizeMiB: inMiB(sizeBytes) },
			});
	}
}

function inMiB(bytes: number): number {
	return Math.ceil((bytes / MIB) * 10) / 10;
}
