import { DiscordAPIError, Routes, type REST } from "discord.js";
import type { FilePost, PostOutcome } from "../services/delivery/file-poster.ts";
import type { FairSemaphore } from "../services/delivery/fair-semaphore.ts";
import { cardAndClassic, type MessageForm } from "./message-forms.ts";
import { buildMessageRequest, uploadBytesOf } from "./multipart.ts";
import { nonceOf } from "./nonce.ts";
import { requireMessage } from "./read-message.ts";

/** Covers the largest files on a slow line. */
const POST_TIMEOUT_MS = 60_000;

interface FileMessage extends FilePost {
	readonly rows?: MessageForm["rows"];
	readonly tone?: "success" | "warning";
}

/** A `FilePoster` whose posts may have buttons, and a color of their own. */
export interface DiscordFilePoster {
	post(channelId: string, message: FileMessage): Promise<PostOutcome>;
}

interface PosterDeps {
	readonly rest: REST;
	readonly uploadSemaphore: FairSemaphore;
}

export function createDiscordFilePoster({ rest, uploadSemaphore }: PosterDeps): DiscordFilePoster {
	async function send(channelId: string, form: MessageForm): Promise<string> {
		const signal = AbortSignal.timeout(POST_TIMEOUT_MS);
		const releaseBytes = await uploadSemaphore.acquire(uploadBytesOf(form), channelId, signal);
		try {
			const request = await buildMessageRequest(form);
			return requireMessage(await rest.post(Routes.channelMessages(channelId), { ...request, signal })).id;
		} finally {
			releaseBytes();
		}
	}

	return {
		async post(channelId, message): Promise<PostOutcome> {
			for (const form of formsOf(message)) {
				try {
					return {
						kind: "posted",
						messageId: await send(channelId, { ...form, nonce: nonceOf(channelId, message.key) }),
					};
				} catch (error) {
					if (!(error instanceof DiscordAPIError)) return { kind: "unknown", error };
					if ([403, 404].includes(error.status)) return { kind: "rejected" };
					// Discord rejects the card, or the files exceed the channel's limit: the next form has less.
					if (![400, 413].includes(error.status)) return { kind: "unknown", error };
				}
			}
			return { kind: "rejected" };
		},
	};
}

/** Lists the forms of a post, best first. The last is text alone. */
function formsOf({ text, files, rows = [], tone = "success" }: FileMessage): readonly MessageForm[] {
	const forms = cardAndClassic({ text, files, tone, rows, cardRows: rows });
	return files.length > 0 ? [...forms, { text, files: [], rows }] : forms;
}
