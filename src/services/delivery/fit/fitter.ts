import type { Logger } from "pino";
import { UserError } from "../../user-error.ts";
import type { FitAnswer, FitJob, FittedFile, MediaKind, Unfit } from "./fit-job.ts";
import { FitFailed, type FitProcesses } from "./fit-processes.ts";
import type { Scratch } from "../scratch.ts";
import { readPictureHead } from "./picture-head.ts";
import { readEnds } from "./read-ends.ts";
import { isAnimated } from "./animation.ts";
import { recognise, type Recognised } from "./recognise.ts";
import { endingOf } from "./shown-types.ts";

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
export type Fitted = AsyncDisposable &
	FittedParts & {
		/** Of a picture that says how large it is. */
		readonly pixels?: number;
	};

type FittedParts =
	| { readonly kind: "asItIs"; readonly contentType: string; readonly ending: string }
	/** `preview`: the whole does not fit, and this shows what it is. */
	| ({ readonly kind: "reencoded" | "preview" } & FittedFile);

/** Makes of any media file one that Discord takes and shows in place. Never answers with more than `bytesMax`. */
export interface Fitter {
	/**
	 * Throws a `WrongMediumError` where it is no file of what was expected, another `UserError` where it is of no use, and `FitPutOff` where too many others wait. Rejects with the signal's reason when aborted. Whenever it rejects, the
	 * work has ended and nothing of it is left on the disk.
	 */
	fit(order: FitOrder, logger: Logger, signal: AbortSignal): Promise<Fitted>;
}

interface FitterDeps {
	readonly processes: FitProcesses;
	readonly scratch: Scratch;
	/** For the encoders of one job. */
	readonly threads: number;
}

type WrongMedium = Omit<Extract<Unfit, { kind: "wrongMedium" }>, "kind">;

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

export function createFitter({ processes, scratch, threads }: FitterDeps): Fitter {
	function run(task: FitJob["task"], source: Source, folder: string, signal: AbortSignal): Promise<FitAnswer> {
		const { isUnderWay = false } = source;
		const job = jobOf(task, source, folder);
		if (task === "fit") return processes.run(job, { deadlineMs: FIT_DEADLINE_MS, isUnderWay }, signal);
		// It has had a turn, which took minutes.
		return processes.run(job, { deadlineMs: PREVIEW_DEADLINE_MS, isUnderWay: true }, signal);
	}

	function jobOf(task: FitJob["task"], source: Source, folder: string): FitJob {
		const { kind, contentType, path, bytesMax, expected } = source;
		return { task, kind, contentType, path, folder, bytesMax, threads, ...(expected && { expected }) };
	}

	/** What has no answer is no reason to give up: what took too long may still be shown in part. */
	async function tryToFit(source: Source, folder: string, logger: Logger, signal: AbortSignal): Promise<FitAnswer> {
		try {
			return await run("fit", source, folder, signal);
		} catch (error) {
			if (!(error instanceof FitFailed)) throw error;
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
	): Promise<FitAnswer> {
		const job: FitJob = { ...jobOf("fit", source, folder), threads: 1, lowMemory: true };
		try {
			return await processes.run(job, { deadlineMs: FIT_DEADLINE_MS, isUnderWay: true }, signal);
		} catch (error) {
			if (!(error instanceof FitFailed)) throw error;
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
	): Promise<FittedFile | undefined> {
		if (source.kind === "picture") return undefined;
		try {
			const answer = await run("preview", source, folder, signal);
			return answer.kind === "made" ? answer.file : undefined;
		} catch (error) {
			if (!(error instanceof FitFailed)) throw error;
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
				return { kind: "asItIs", contentType, ending: endingOf(contentType) ?? "bin" };
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
			const found = await recognise(path, sizeBytes);
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
	{ kind, mediaKind, contentType }: Exclude<Recognised, { kind: "unfit" }>,
): Promise<void> {
	if (expected === undefined || expected === mediaKind) return;
	if (kind === "media" && mediaKind === "film" && expected === "sound") return;
	// What moves is what a member of a chat calls a video, and some services make nothing else.
	if (expected === "film" && mediaKind === "picture" && (await isAnimated(path, contentType))) return;
	throw new WrongMediumError({ expected, found: mediaKind, contentType });
}

async function pixelsOf(path: string, contentType: string, sizeBytes: number): Promise<Pick<Fitted, "pixels">> {
	if (!contentType.startsWith("image/")) return {};
	const head = readPictureHead(contentType, await readEnds(path, sizeBytes));
	return head ? { pixels: head.width * head.height } : {};
}

async function nothingToRemove(): Promise<void> {}

function described({ kind, contentType, sizeBytes, bytesMax }: Source) {
	return { mediaKind: kind, contentType, sizeBytes, bytesMax };
}

/** The one promise that nothing may break. */
function checked(file: FittedFile, { bytesMax }: FitOrder): FittedFile {
	if (file.sizeBytes > bytesMax) throw new Error(`fitted to ${file.sizeBytes} bytes where ${bytesMax} were allowed`);
	return file;
}

function refusalOf(why: Unfit, { sizeBytes, bytesMax }: Pick<Source, "sizeBytes" | "bytesMax">): UserError {
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
