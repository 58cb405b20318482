import { randomBytes } from "node:crypto";
import type { Clock } from "@atelier/common/clock";
import { ApiError, CODES } from "./errors.ts";
import type { StudioLimits } from "./limits.ts";
import type { MediaLinks } from "./media-links.ts";
import { uploadOwner, type MediaStore } from "./media-store.ts";
import { detectMedia, isInputImage } from "./media-type.ts";
import { isoTime } from "./envelope.ts";
import type { ResponseData, UploadResponse } from "./response-schemas.ts";

export interface Uploads {
	/** Stores a client's file for a while. `read` must have a limit of its own. Rejects with an `ApiError`. */
	accept(read: () => Promise<Uint8Array>): Promise<Upload>;
}

type Upload = ResponseData<typeof UploadResponse>;

const RETRY_AFTER_S = 5;

export function createUploads(deps: {
	readonly media: MediaStore;
	readonly limits: StudioLimits;
	readonly clock: Clock;
	readonly links: MediaLinks;
}): Uploads {
	const { media, limits } = deps;
	let runningUploads = 0;

	async function storeUpload(bytes: Uint8Array): Promise<Upload> {
		const kind = await detectMedia(bytes);
		if (!kind)
			throw new ApiError(CODES.unsupportedContentType, "the file is not an image, video or audio of a supported type");
		if (kind.type === "image" && !isInputImage(kind)) {
			throw new ApiError(CODES.unsupportedContentType, "the image must be PNG, JPEG, WebP or GIF");
		}
		const bytesMax = kind.type === "image" ? limits.inputBytesMax : limits.uploadBytesMax;
		if (bytes.byteLength > bytesMax) {
			throw new ApiError(CODES.tooLarge, `the file is too large: ${kind.type} may have ${bytesMax} bytes`);
		}
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

	return {
		async accept(read) {
			if (runningUploads >= limits.uploadsAtOnceMax) {
				throw new ApiError(CODES.queueFull, "too many concurrent uploads", { retryAfterS: RETRY_AFTER_S });
			}
			runningUploads += 1;
			try {
				return await storeUpload(await read());
			} finally {
				runningUploads -= 1;
			}
		},
	};
}
