/**
 * Uploads that start before the member may see the result. The edit that puts the file into its reply is sent while the file is
 * downloaded and charged; the end of the multipart request is held back until `commit`. Discord ignores an incomplete request, so
 * a process that dies before has shown nothing. There is one upload per reply, and a full upload replaces one that fails.
 */
import { PassThrough } from "node:stream";
import { DiscordAPIError, HTTPError, RateLimitError, type REST } from "discord.js";
import type { Clock } from "@atelier/common/clock";
import type { ByteSemaphore } from "../services/delivery/byte-semaphore.ts";
import type { ReplyFile, StreamedFile, TokenReply, Upload } from "../services/delivery/reply-client.ts";
import { multipartOf } from "./multipart.ts";
import { abortWith } from "./with-timeout.ts";

/** Reserved for the payload, whose length is unknown when `content-length` is sent. Spaces fill the rest. */
const END_BYTES = 16 * 1024;
/** A complete file that is not committed by then is dropped, because other uploads need its bytes. */
const HELD_MS_MAX = 5_000;

interface StreamingUpload extends Upload {
	/** Sends the end. Returns `false` if the upload does not hold exactly these files. */
	commit(files: readonly ReplyFile[], payload: object): boolean;
	readonly answered: Promise<unknown>;
	readonly over: AbortController;
}

export function createStreamingUploads({ rest, uploads, clock }: { rest: REST; uploads: ByteSemaphore; clock: Clock }) {
	/** Uploads by the token of their reply. */
	const open = new Map<string, StreamingUpload>();

	function start(
		{ token }: TokenReply,
		route: `/${string}`,
		file: StreamedFile,
		signal: AbortSignal,
	): Upload | undefined {
		const giveBack = open.has(token) ? undefined : uploads.takeNow(file.sizeBytes);
		if (!giveBack) return undefined;
		const form = multipartOf([file]);
		const head = form.head(0);
		const lengthBytes = head.byteLength + file.sizeBytes + END_BYTES;
		const headers = { ...form.headers, "content-length": String(lengthBytes) };
		const body = new PassThrough().on("error", () => {});
		body.write(head);
		const over = new AbortController();
		const letGo = abortWith(signal, over);
		let missingBytes = file.sizeBytes;
		let isLost = false;
		const answered = rest
			.patch(route, { headers, body, passThroughBody: true, auth: false, signal: over.signal })
			.finally(() => {
				letGo();
				body.destroy();
				giveBack();
			});
		answered.then(
			() => (isLost = true),
			// An early rejection of the upload also holds for the complete one.
			(error: unknown) =>
				(isLost = ![DiscordAPIError, HTTPError, RateLimitError].some((kind) => error instanceof kind)),
		);
		const upload: StreamingUpload = {
			answered,
			over,
			write(bytes) {
				body.write(bytes);
				missingBytes -= bytes.byteLength;
				if (missingBytes <= 0)
					clock.sleep(HELD_MS_MAX, signal).then(
						() => upload.abort(),
						() => {},
					);
			},
			abort() {
				if (open.get(token) !== upload) return;
				open.delete(token);
				over.abort(new Error("upload dropped before its end"));
			},
			commit(files, payload) {
				const [only] = files;
				const isSame = only?.name === file.name && only.contentType === file.contentType && files.length === 1;
				const end = form.end(payload, END_BYTES);
				const isWhole = missingBytes === 0 && only?.content.sizeBytes === file.sizeBytes;
				if (isLost || !isSame || !isWhole || end.byteLength !== END_BYTES) return false;
				open.delete(token);
				body.end(end);
				return true;
			},
		};
		open.set(token, upload);
		return upload;
	}

	return {
		start,
		isOpen: ({ token }: TokenReply) => open.has(token),
		/**
		 * Completes the upload for this reply and resolves to Discord's response. Drops the upload and returns
		 * `undefined` if that is impossible.
		 */
		commit({ token }: TokenReply, files: readonly ReplyFile[], payload: object) {
			const upload = open.get(token);
			if (upload?.commit(files, payload))
				return (signal: AbortSignal) => upload.answered.finally(abortWith(signal, upload.over));
			upload?.abort();
			return undefined;
		},
	};
}
