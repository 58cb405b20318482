import type { TopUpOffer } from "../top-up/offer.ts";
import type { FileContent, MediaFile } from "./media-file.ts";

/** The ways to deliver, best first. */
export const RUNGS = ["tokenEdit", "botEdit", "botPost", "directMessage"] as const;
export type Rung = (typeof RUNGS)[number];

/** Where the answer to a command goes: everything needed to find the reply again after a restart. */
export interface ReplyTarget {
	readonly applicationId: string;
	/** A secret: who has it may edit the reply. Kept in the task, never logged. */
	readonly token: string;
	readonly tokenExpiresAtMs: number;
	readonly channelId: string;
	readonly messageId: string;
	readonly ephemeral: boolean;
	/** Whether the bot itself is in the server and sees the channel, and not only its commands. */
	readonly botInGuild: boolean;
	/** What Discord takes in this place, per file. */
	readonly attachmentBytesMax: number;
	/** Whether files are hidden until somebody clicks on them. */
	readonly spoiler?: boolean;
	/** Its task is from a backup: more may have been shown since than is known here, so nothing is that would be a second message. */
	readonly isRestored?: boolean;
}

/** What people can do with a task by a button under its message. */
export type TaskAction =
	| "cancel"
	| "again"
	| "vary"
	| "edit"
	| "animate"
	| "input"
	| "upscale"
	| "report"
	| "delete"
	| "confirm"
	| "decline";

export interface TaskButton {
	readonly action: TaskAction;
	readonly label: string;
	/** Seen, and not to be pressed any more. */
	readonly isDisabled?: boolean;
}

/** What can be made of one picture. */
export const PICTURE_ACTIONS = ["vary", "animate", "input", "upscale"] as const satisfies readonly TaskAction[];
export type PictureAction = (typeof PICTURE_ACTIONS)[number];

/** Under several pictures, in place of their buttons: what, and of which. */
export interface PictureMenu {
	readonly placeholder: string;
	readonly choices: readonly {
		readonly action: PictureAction;
		/** From 0, in the order in which they are shown. */
		readonly picture: number;
		readonly label: string;
	}[];
}

/** How far a task is, and what can be done about it. */
export interface News {
	readonly taskId: string;
	readonly text: string;
	readonly buttons: readonly TaskButton[];
}

export interface Answer {
	/** Makes a repeated message the same message: the task's id, which is also older than every message of its answer. */
	readonly nonce: string;
	/** Who gets the direct message, where nothing else is left. */
	readonly recipientId: string;
	readonly text: string;
	/** Concerns the member alone: a public reply is deleted, and an ephemeral follow-up tells the member. */
	readonly isPrivate?: boolean;
	readonly files: readonly AnswerFile[];
	readonly buttons: readonly TaskButton[];
	readonly menu?: PictureMenu;
	/** Where more credits can be bought, under a refusal for want of them. */
	readonly topUp?: TopUpOffer;
	/** What stands in it when Discord refuses the text, because a server's filter does not let the prompt through. */
	readonly textWithoutPrompt: string;
	/** What stands in a direct message instead: where it comes from, and the rest in the language of whoever gets it. */
	readonly direct: Pick<Answer, "text" | "textWithoutPrompt">;
}

export interface AnswerFile {
	readonly name: string;
	readonly contentType: string;
	/** Read out by screen readers. */
	readonly description: string;
	readonly isSpoiler?: boolean;
	/** Read when it is sent, not before. */
	readonly content: FileContent;
}

/** A file that is still downloaded. */
export type ComingFile = Pick<MediaFile, "name" | "contentType" | "sizeBytes">;

/** A file on its way to Discord, invisible until it is shown. */
export interface Upload {
	write(bytes: Uint8Array): void;
	/** Aborts it; no effect when it is over. */
	drop(): void;
}

export type Shown =
	| {
			readonly kind: "shown";
			readonly rung: Rung;
			readonly messageId: string;
			readonly withFiles: boolean;
			/** An earlier try had arrived, and only its answer was lost. */
			readonly wasThere?: true;
	  }
	/** Every way was closed; the result is kept. */
	| { readonly kind: "kept" };

/** A reply that no task stands behind: its token is all that leads to it. */
export type OwnReply = Pick<ReplyTarget, "applicationId" | "token" | "tokenExpiresAtMs">;

/** What became of one try. */
export type Showing = Shown | FilesRefused;

/** What became of files for a reply that no task stands behind; `gone`: there is no such reply any more. */
export type Bringing = { readonly kind: "brought" } | { readonly kind: "gone" } | FilesRefused;

export interface FilesRefused {
	readonly kind: "filesRefused";
	readonly rung: Rung;
	/** Smaller ones may be taken; otherwise none are, here. */
	readonly isForSize: boolean;
	/** Whether the limit of a single file is meant, and not that of the message. */
	readonly isPerFile: boolean;
	readonly largestBytes: number;
}

/**
 * Everything the bot does to Discord for a task. Showing the same answer twice shows it once; only an ephemeral follow-up,
 * which cannot be looked for, may come twice after an answer of Discord was lost.
 */
export interface Messenger {
	/**
	 * Starts to upload the only file of an answer while it is downloaded. Discord has no complete request before `show` is called
	 * with that file; `tell` and a wait of some seconds abort it. `undefined` without free memory or a token that lives on.
	 */
	startUpload(target: ReplyTarget, file: ComingFile, signal: AbortSignal): Upload | undefined;
	/** Throws `MessengerUnavailable` when it is worth another try later. */
	show(target: ReplyTarget, answer: Answer, signal: AbortSignal): Promise<Showing>;
	/**
	 * News in the reply, for as long as its token lives and by nothing but an edit: anything else would be a message beside
	 * the one that counts. False where that is no longer possible. Throws `MessengerUnavailable` like `show`.
	 */
	tell(target: ReplyTarget, text: string, signal: AbortSignal): Promise<boolean>;
	/** The same as `tell`, for news that may be lost. */
	report(target: ReplyTarget, news: News, signal: AbortSignal): Promise<boolean>;
	/** Files in a reply to whoever asked for them again, under the same bounds as all others. Throws like `show`. */
	bring(reply: OwnReply, text: string, files: readonly AnswerFile[], signal: AbortSignal): Promise<Bringing>;
	/** Whether an answer that was put into the reply still stands there, as far as that can be seen. Throws like `show`. */
	stands(target: ReplyTarget, answer: Answer, signal: AbortSignal): Promise<boolean>;
}

/** Discord did not answer, or asked for patience. Whether it acted is unknown; trying again is safe. */
export class MessengerUnavailable extends Error {
	override readonly name = "MessengerUnavailable";
	readonly retryAfterMs: number | undefined;

	constructor(message: string, retryAfterMs?: number) {
		super(message);
		this.retryAfterMs = retryAfterMs;
	}
}
