/**
 * Uploads that start before the member may see the result. The edit that adds the file to the reply is sent while the file is
 * downloaded and charged; `commit` sends the end of the multipart request. Discord ignores an incomplete request, so a process
 * that dies before `commit` shows nothing. There is one upload per reply. If it fails, the whole file is uploaded again.
 */
import { PassThrough } from "node:stream";
import { DiscordAPIError, HTTPError, RateLimitError, type REST } from "discord.js";
import type { Clock } from "@atelier/common/clock";
import type { FairSemaphore } from "../services/delivery/fair-semaphore.ts";
import type { ReplyFile } from "../services/delivery/final-reply.ts";
import type { StreamedFile, Upload } from "../services/delivery/reply-client.ts";
import type { TokenReply } from "../services/delivery/reply-target.ts";
import { createMultipartForm } from "./multipart.ts";
import { abortWith } from "./with-timeout.ts";

/** Reserved for the end of the request, whose length is unknown when `content-length` is sent. Spaces fill the rest. */
const TRAILER_BYTES = 16 * 1024;
/** A complete file that is not committed within this time is dropped, because other uploads need its bytes. */
const COMMIT_WAIT_MS_MAX = 5_000;

interface StreamingUpload extends Upload {
	/** Sends the end of the request. Returns `false` if the upload does not hold exactly these files. */
	commit(files: readonly ReplyFile[], payload: object): boolean;
	readonly response: Promise<unknown>;
	readonly request: AbortController;
}

export type StreamingUploads = ReturnType<typeof createStreamingUploads>;

export function createStreamingUploads({
	rest,
	uploadSemaphore,
	clock,
}: {
	rest: REST;
	uploadSemaphore: FairSemaphore;
	clock: Clock;
}) {
	/** Uploads by the token of their reply. */
	const uploadsByToken = new Map<string, StreamingUpload>();

	function start(
		{ token }: TokenReply,
		route: `/${string}`,
		file: StreamedFile,
		signal: AbortSignal,
	): Upload | undefined {
		const releaseBytes = uploadsByToken.has(token) ? undefined : uploadSemaphore.tryAcquire(file.sizeBytes);
		if (!releaseBytes) return undefined;
		const form = createMultipartForm([file]);
		const header = form.fileHeader(0);
		const lengthBytes = header.byteLength + file.sizeBytes + TRAILER_BYTES;
		const headers = { ...form.headers, "content-length": String(lengthBytes) };
		const body = new PassThrough().on("error", () => {});
		body.write(header);
		const request = new AbortController();
		const stopListening = abortWith(signal, request);
		let missingBytes = file.sizeBytes;
		let isUnusable = false;
		const response = rest
			.patch(route, { headers, body, passThroughBody: true, auth: false, signal: request.signal })
			.finally(() => {
				stopListening();
				body.destroy();
				releaseBytes();
			});
		response.then(
			// A success before the end of the request cannot show this file.
			() => (isUnusable = true),
			// If Discord rejected the request early, use that response for the delivery too. After any other error, upload the
			// whole file again.
			(error: unknown) =>
				(isUnusable = ![DiscordAPIError, HTTPError, RateLimitError].some((errorClass) => error instanceof errorClass)),
		);
		const upload: StreamingUpload = {
			response,
			request,
			write(bytes) {
				body.write(bytes);
				missingBytes -= bytes.byteLength;
				if (missingBytes <= 0)
					clock.sleep(COMMIT_WAIT_MS_MAX, signal).then(
						() => upload.abort(),
						() => {},
					);
			},
			abort() {
				if (uploadsByToken.get(token) !== upload) return;
				uploadsByToken.delete(token);
				request.abort(new Error("upload dropped before its end"));
			},
			commit(files, payload) {
				const [onlyFile] = files;
				const isSameFile =
					onlyFile?.name === file.name && onlyFile.contentType === file.contentType && files.length === 1;
				const trailer = form.trailer(payload, TRAILER_BYTES);
				const isComplete = missingBytes === 0 && onlyFile?.content.sizeBytes === file.sizeBytes;
				if (isUnusable || !isSameFile || !isComplete || trailer.byteLength !== TRAILER_BYTES) return false;
				uploadsByToken.delete(token);
				body.end(trailer);
				return true;
			},
		};
		uploadsByToken.set(token, upload);
		return upload;
	}

	return {
		start,
		isOpen: ({ token }: TokenReply) => uploadsByToken.has(token),
		/**
		 * Completes the upload for this reply and resolves to Discord's response. Drops the upload and returns
		 * `undefined` if that is impossible.
		 */
		commit({ token }: TokenReply, files: readonly ReplyFile[], payload: object) {
			const upload = uploadsByToken.get(token);
			if (upload?.commit(files, payload))
				return (signal: AbortSignal) => upload.response.finally(abortWith(signal, upload.request));
			upload?.abort();
			return undefined;
		},
	};
}
