import type { FileContent } from "./media-file.ts";
import type { TaskButton } from "./task-actions.ts";

/** A text about a task. */
export interface PromptedText {
	readonly text: string;
	/** For servers whose filter rejects the prompt. */
	readonly textWithoutPrompt: string;
}

/** The result of a task, or the reason why there is none. */
export interface FinalReply extends PromptedText {
	/**
	 * Prevents duplicates: Discord compares the nonces of messages, which are derived from it and the channel. Discord ids sort by
	 * time: messages of the reply have larger ids, and `findPostedReply` ignores older ones.
	 */
	readonly taskId: string;
	/** The server of the task: uploads are fair between servers. */
	readonly guildId: string;
	/** The recipient of the direct message, the last route. */
	readonly recipientId: string;
	/** `warning`: the task has a result, but the message lacks its files. */
	readonly tone: "success" | "warning" | "failure";
	/**
	 * Present if only the member may read the text: an ephemeral follow-up or a direct message shows it. A public reply is deleted, or
	 * shows this instead.
	 */
	readonly publicText?: string;
	/** True if no new message may be sent: another one may show the reply already. */
	readonly isEditOnly?: boolean;
	readonly files: readonly ReplyFile[];
	readonly buttons: readonly TaskButton[];
	/** The labels of several images, from which a member chooses one to act on. */
	readonly images?: readonly string[];
	/** The label of the menu for buttons that do not fit in a row. */
	readonly moreLabel: string;
	/** For a result in a thread of its own: the name of the thread, and the text that then replaces the progress. */
	readonly thread?: { readonly name: string; readonly pointer: string };
	/** The text of a direct message: names the server, in the recipient's language. */
	readonly direct: PromptedText;
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
