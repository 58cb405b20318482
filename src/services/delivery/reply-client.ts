import type { DeliveryRoute } from "./delivery-routes.ts";
import type { FinalReply, PromptedText, ReplyFile } from "./final-reply.ts";
import type { MediaFile } from "./media-file.ts";
import type { ReplyTarget, TokenReply } from "./reply-target.ts";
import type { TaskButton } from "./task-actions.ts";

/** The progress of a task, with its buttons. */
export interface ProgressUpdate extends PromptedText {
	readonly taskId: string;
	readonly buttons: readonly TaskButton[];
}

/** The files of a finished task, for a reply without a task. */
export interface Resend extends PromptedText {
	readonly files: readonly ReplyFile[];
}

/** A message that mentions a member, because their task is done. */
export interface Ping {
	readonly userId: string;
	readonly text: string;
}

/** A file that is being downloaded. */
export type StreamedFile = Pick<MediaFile, "name" | "contentType" | "sizeBytes">;

/** An upload to Discord during the download of its file. Members see nothing until `deliver` completes it. */
export interface Upload {
	write(bytes: Uint8Array): void;
	/** Aborts the upload; has no effect once it has ended. */
	abort(): void;
}

export type DeliveryOutcome =
	| {
			readonly kind: "delivered";
			readonly route: DeliveryRoute;
			readonly messageId: string;
			/** The thread of the message, if it is not in the channel of the reply. */
			readonly threadId?: string;
			readonly withFiles: boolean;
			/** The message was found: an earlier attempt had posted it, and only its response was lost. */
			readonly wasAlreadyPosted?: true;
	  }
	/** No route was available; the result stays stored. */
	| { readonly kind: "undelivered" };

/** The outcome of one delivery attempt. */
export type DeliveryResult = DeliveryOutcome | FilesRejected;

/** The outcome of `resend`. `gone`: the reply was deleted. */
export type ResendResult = { readonly kind: "sent" } | { readonly kind: "gone" } | FilesRejected;

/** Discord rejected the files of a reply. */
export interface FilesRejected {
	readonly kind: "filesRejected";
	readonly route: DeliveryRoute;
	/** True if Discord may accept smaller files; otherwise it accepts no files in this channel. */
	readonly isForSize: boolean;
	/** The size of the largest of the files. */
	readonly largestBytes: number;
}

export type ProgressUpdateResult = "shown" | "postponed" | "rejected";

/**
 * Writes the messages of tasks to their members. Delivering the same reply twice shows it once. An ephemeral follow-up is the
 * exception: the bot cannot read it back, so a lost response of Discord may cause a second one.
 */
export interface ReplyClient {
	/**
	 * Uploads the only file of a reply while it downloads. The request stays incomplete until `deliver` is called with that file;
	 * some seconds without `deliver` abort it. Returns `undefined` without free memory or a valid token.
	 */
	startUpload(target: ReplyTarget, file: StreamedFile, signal: AbortSignal): Upload | undefined;
	/** Delivers the final reply by the first route that works. Throws `ReplyClientUnavailableError` if a later attempt may work. */
	deliver(target: ReplyTarget, finalReply: FinalReply, signal: AbortSignal): Promise<DeliveryResult>;
	/**
	 * Shows the progress in the reply, without a ping; it never posts another message, and an update may be lost. Resolves to
	 * `rejected` if Discord rejects the edit, as when the token has expired or the reply is gone, and to `postponed` if nothing was sent
	 * because an upload to the reply is running. Throws like `deliver`.
	 */
	updateProgress(target: ReplyTarget, update: ProgressUpdate, signal: AbortSignal): Promise<ProgressUpdateResult>;
	/**
	 * Posts a message that mentions the member, with the visibility of the reply. Posts nothing without a route for that
	 * visibility. Posts at most once: a lost response is not repeated. Throws like `deliver`.
	 */
	ping(target: ReplyTarget, ping: Ping, signal: AbortSignal): Promise<void>;
	/** Sends files of a finished task again, in a reply of its own, under the same upload limits. Throws like `deliver`. */
	resend(reply: TokenReply, resend: Resend, signal: AbortSignal): Promise<ResendResult>;
	/**
	 * Resolves to false only if the bot read the reply, and it does not show the files of `finalReply`, or without files its text.
	 * If Discord rejects the read, the reply counts as visible. Throws like `deliver`.
	 */
	mayBeVisible(target: ReplyTarget, finalReply: FinalReply, signal: AbortSignal): Promise<boolean>;
}

/** Discord did not respond, or limited the rate. The outcome of the request is unknown; a retry is safe. */
export class ReplyClientUnavailableError extends Error {
	override readonly name: string = "ReplyClientUnavailableError";
	readonly retryAfterMs: number | undefined;

	constructor(message: string, retryAfterMs?: number) {
		super(message);
		this.retryAfterMs = retryAfterMs;
	}
}

/** Discord reported success, but its response is unusable, such as a proxy's page. If that persists, no retry can succeed. */
export class UnusableResponseError extends ReplyClientUnavailableError {
	override readonly name: string = "UnusableResponseError";
}
