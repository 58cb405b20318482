import { randomBytes } from "node:crypto";
import { RateLimiterRes } from "rate-limiter-flexible";
import { orAborted } from "@atelier/common/or-aborted";
import type { CreateRateLimiter } from "./cluster/open-cluster.ts";
import { StudioApiError, CODES } from "./errors.ts";
import type { MediaLinks } from "./media-links.ts";
import { uploadOwner, type MediaStore } from "./media-store.ts";
import { detectMedia, isInputImage } from "./media-format.ts";
import { isoTime } from "./envelope.ts";
import type { StudioContext } from "./studio-context.ts";
import { createTimeout } from "./timeout.ts";
import type { ResponseData, UploadResponse } from "./response-schemas.ts";

export type Uploads = ReturnType<typeof createUploads>;

type Upload = ResponseData<typeof UploadResponse>;

const RETRY_AFTER_S = 5;

export interface UploadsDeps extends StudioContext {
	readonly media: MediaStore;
	readonly links: MediaLinks;
	readonly createRateLimiter: CreateRateLimiter;
}

export function createUploads(deps: UploadsDeps) {
	const { media, limits } = deps;
	/** The accounts of the running uploads. */
	const running: string[] = [];
	const storedBytes = deps.createRateLimiter("upload-bytes", {
		points: limits.uploadBytesPerAccountMax,
		duration: limits.uploadRetentionMs / 1000,
	});

	async function storeUpload(account: string, bytes: Uint8Array): Promise<Upload> {
		const kind = await detectMedia(bytes);
		if (!kind || !isInputImage(kind)) {
			throw new StudioApiError(CODES.unsupportedContentType, "the file must be an image: PNG, JPEG, WebP or GIF");
		}
		await storedBytes.consume(account, bytes.byteLength).catch(async (error: unknown) => {
			if (!(error instanceof RateLimiterRes)) throw error;
			// A rejected file takes no space, so a smaller one may still fit.
			await storedBytes.reward(account, bytes.byteLength);
			throw new StudioApiError(CODES.tooManyRequests, "too many bytes uploaded by this account", {
				retryAfterS: Math.max(1, Math.ceil(error.msBeforeNext / 1000)),
			});
		});
		const id = randomBytes(16).toString("hex");
		const expiresAtMs = deps.clock.nowMs() + limits.uploadRetentionMs;
		const stored = await media.save(bytes, uploadOwner(id));
		if (!stored) throw new Error("the type of stored media changed");
		const { file, type, contentType, sizeBytes, sha256 } = stored;
		return {
			url: deps.links.urlOf(file, expiresAtMs),
			type,
			contentType,
			sizeBytes,
			sha256,
			expiresAt: isoTime(expiresAtMs),
		};
	}

	async function readInTime(read: () => Promise<Uint8Array>): Promise<Uint8Array> {
		using timeout = createTimeout(deps.clock, limits.uploadTimeoutMs, new Error("the upload took too long"));
		return await orAborted(read(), timeout.signal).catch((error: unknown) => {
			if (!timeout.signal.aborted) throw error;
			// The rest of the body is not read.
			throw new StudioApiError(CODES.uploadTimeout, "the upload took too long", { headers: { connection: "close" } });
		});
	}

	return {
		/** Stores an account's image for a while. `read` must have a size limit of its own. Rejects with an `StudioApiError`. */
		async accept(account: string, read: () => Promise<Uint8Array>): Promise<Upload> {
			const runningOfAccount = running.filter((each) => each === account).length;
			if (running.length >= limits.uploadsAtOnceMax || runningOfAccount >= limits.uploadsAtOncePerAccountMax) {
				throw new StudioApiError(CODES.queueFull, "too many concurrent uploads", { retryAfterS: RETRY_AFTER_S });
			}
			running.push(account);
			try {
				return await storeUpload(account, await readInTime(read));
			} finally {
				running.splice(running.indexOf(account), 1);
			}
		},
	};
}
