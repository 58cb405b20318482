import type { TopUpOffer } from "../entitlements/top-up-service.ts";
import type { FileContent, MediaFile } from "./media-file.ts";

/**
 * The delivery routes, best first: an edit of the reply with the interaction token, an edit as the bot, a message in the
 * channel, a direct message.
 */
export const DELIVERY_ROUTES = ["tokenEdit", "botEdit", "botPost", "directMessage"] as const;
export type DeliveryRoute = (typeof DELIVERY_ROUTES)[number];

/** The reply to a command, with everything needed to find it after a restart. */
export interface ReplyTarget {
	readonly applicationId: string;
	/** Secret: allows edits of the reply. Stored in the task, never logged. */
	readonly token: string;
	readonly tokenExpiresAtMs: number;
	readonly channelId: string;
	readonly messageId: string;
	readonly isEphemeral: boolean;
	/** True if the bot itself, not only its commands, is in the guild and sees the channel. */
	readonly isBotInGuild: boolean;
	/** Discord's limit per file in this channel. */
	readonly attachmentBytesMax: number;
	/** Hides files until a member clicks them. */
	readonly isSpoiler?: boolean;
	/** True if the result is posted in a thread that starts from the reply. */
	readonly opensThread?: boolean;
	/** True for a task from a backup: it may have been delivered after the backup, so no message that could be a duplicate is sent. */
	readonly isRestored?: boolean;
}

/** The actions of the buttons under a task's message. */
export type TaskAction =
	| "cancel"
	/** Mentions the member when the result is delivered. */
	| "ping"
	| "regenerate"
	| "vary"
	| "edit"
	| "improve"
	| "animate"
	/** Uses the image as an input of a new request. */
	| "input"
	| "upscale"
	| "favorite"
	| "report"
	| "delete"
	/** The last three belong to a request that waits for the member's confirmation. */
	| "confirm"
	| "editDraft"
	| "decline";

export interface TaskButton {
	readonly action: TaskAction;
	readonly label: string;
	readonly isDisabled?: boolean;
}

/** The actions on one image. */
export const IMAGE_ACTIONS = ["vary", "animate", "input", "upscale"] as const satisfies readonly TaskAction[];
export type ImageAction = (typeof IMAGE_ACTIONS)[number];

/** The progress of a task, with its buttons. */
export interface ProgressUpdate {
	readonly taskId: string;
	readonly text: string;
	/** For servers whose filter rejects the prompt. */
	readonly textWithoutPrompt: string;
	readonly buttons: readonly TaskButton[];
}

/** A message that mentions a member. */
export interface Mention {
	readonly userId: string;
	readonly text: string;
	/** Two calls with the same key post one message. */
	readonly key: string;
}

/** The result of a task, or the reason why there is none. */
export interface FinalReply {
	/**
	 * Prevents duplicates: Discord and the bot compare messages by it. As an id of Discord, it is older than every message of the
	 * reply.
	 */
	readonly taskId: string;
	/** The server of the task: uploads are fair between servers. */
	readonly guildId: string;
	/** The recipient of the direct message, the last route. */
	readonly recipientId: string;
	readonly text: string;
	/** `warning`: the task has a result, but the message lacks its files. */
	readonly tone: "success" | "warning" | "failure";
	/** True if only the member may read the text: a public reply is deleted, and an ephemeral follow-up replaces it. */
	readonly isPrivate?: boolean;
	readonly files: readonly ReplyFile[];
	readonly buttons: readonly TaskButton[];
	/** The labels of several images, from which a member chooses one to act on. */
	readonly images?: readonly string[];
	/** The label of the menu for buttons that do not fit in a row. */
	readonly moreLabel: string;
	/** Offers credits under a denial for missing credits. */
	readonly topUp?: TopUpOffer;
	/** For a result in a thread of its own: the name of the thread, and the text that then replaces the progress. */
	readonly thread?: { readonly name: string; readonly pointer: string };
	/** The text without the prompt, for servers whose filter rejects the prompt. */
	readonly textWithoutPrompt: string;
	/** The text of a direct message: names the server, in the recipient's language. */
	readonly direct: Pick<FinalReply, "text" | "textWithoutPrompt">;
}

export interface ReplyFile {
	readonly name: string;
	readonly contentType: string;
	/** Alt text. */
	readonly description: string;
	readonly isSpoiler?: boolean;
	/** Read when the file is sent. */
	readonly content: FileContent;
}

/** A file that is still downloaded. */
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

/** A reply that its token identifies and authorizes. Unlike a `ReplyTarget`, it has no channel or message id. */
export type TokenReply = Pick<ReplyTarget, "applicationId" | "token" | "tokenExpiresAtMs">;

/** The outcome of one delivery attempt. */
export type DeliveryAttempt = DeliveryOutcome | FilesRejected;

/** The outcome of sending files in a reply without a task. `gone`: the reply was deleted. */
export type ResendOutcome = { readonly kind: "sent" } | { readonly kind: "gone" } | FilesRejected;

/** Discord rejected the files of a reply. */
export interface FilesRejected {
	readonly kind: "filesRejected";
	readonly route: DeliveryRoute;
	/** True if Discord may accept smaller files; otherwise it accepts no files in this channel. */
	readonly isForSize: boolean;
	/** The size of the largest of the files. */
	readonly largestBytes: number;
}

/**
 * Writes the messages of tasks to their members. Delivering the same reply twice shows it once. An ephemeral follow-up is the
 * exception: the bot cannot read it back, so a lost response of Discord may cause a second one.
 */
export interface ReplyClient {
	/**
	 * Uploads the only file of a reply while it downloads. The request stays incomplete until `deliver` is called with that file;
	 * `editText`, or some seconds without `deliver`, abort it. Returns `undefined` without free memory or a valid token.
	 */
	startUpload(target: ReplyTarget, file: StreamedFile, signal: AbortSignal): Upload | undefined;
	/** Delivers the final reply by the first route that works. Throws `ReplyClientUnavailableError` if a later attempt may work. */
	deliver(target: ReplyTarget, finalReply: FinalReply, signal: AbortSignal): Promise<DeliveryAttempt>;
	/**
	 * Replaces the text of the reply, without a ping; it never posts another message. Returns false if Discord rejects the edit, as
	 * when the token has expired or the reply is gone. Throws like `deliver`.
	 */
	editText(target: ReplyTarget, text: string, signal: AbortSignal): Promise<boolean>;
	/** Shows the progress in the reply, like `editText`; an update may be lost. */
	updateProgress(target: ReplyTarget, update: ProgressUpdate, signal: AbortSignal): Promise<boolean>;
	/**
	 * Posts a message that mentions the member, with the visibility of the reply. Posts nothing without a route for that
	 * visibility. Posts at most once: a lost response is not repeated. Throws like `deliver`.
	 */
	mention(target: ReplyTarget, mention: Mention, signal: AbortSignal): Promise<void>;
	/** Sends files of a finished task again, in a reply of its own, under the same upload limits. Throws like `deliver`. */
	resend(reply: TokenReply, text: string, files: readonly ReplyFile[], signal: AbortSignal): Promise<ResendOutcome>;
	/**
	 * Resolves to false only if the bot read the reply, and it does not show the files of `finalReply`, or without files its text.
	 * If Discord rejects the read, the reply counts as visible. Throws like `deliver`.
	 */
	mayBeVisible(target: ReplyTarget, finalReply: FinalReply, signal: AbortSignal): Promise<boolean>;
}

/** Discord did not respond, or limited the rate. The outcome of the request is unknown; a retry is safe. */
export class ReplyClientUnavailableError extends Error {
	override readonly name = "ReplyClientUnavailableError";
	readonly retryAfterMs: number | undefined;

	constructor(message: string, retryAfterMs?: number) {
		super(message);
		this.retryAfterMs = retryAfterMs;
	}
}
