import { DiscordAPIError, Routes, type REST } from "discord.js";
import { z } from "zod";
import type { ResultMessage, ResultMessages } from "../services/gallery/gallery-service.ts";
import { mediaIn, type Media } from "./message-contents.ts";

/** Members do not wait longer for a reply. */
const CALL_TIMEOUT_MS = 10_000;

const Message = z.object({
	attachments: z.array(z.object({ url: z.string(), content_type: z.string().optional() })),
	components: z.unknown().optional(),
});

/** Reads and deletes as the bot, whose own messages it may always delete where it can see the channel. */
export function createResultMessages({ rest }: { readonly rest: REST }): ResultMessages {
	return {
		async read(channelId, messageId): Promise<ResultMessage> {
			try {
				const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
				const response = await rest.get(Routes.channelMessage(channelId, messageId), { signal });
				const { data } = Message.safeParse(response);
				if (!data) return { kind: "unknown" };
				const image = [...data.attachments, ...mediaIn(data.components)].find(isImage);
				return { kind: "found", imageUrl: image?.url };
			} catch (error) {
				// A message that cannot be read is still listed, without its image.
				const isGone = error instanceof DiscordAPIError && error.status === 404;
				return { kind: isGone ? "gone" : "unknown" };
			}
		},
		async delete(channelId, messageId) {
			try {
				const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
				await rest.delete(Routes.channelMessage(channelId, messageId), { signal });
				return true;
			} catch (error) {
				if (!(error instanceof DiscordAPIError)) throw error;
				if (error.status === 404) return true;
				if (error.status === 403) return false;
				throw error;
			}
		},
	};
}

function isImage({ content_type: contentType }: Pick<Media, "content_type">): boolean {
	return contentType?.startsWith("image/") ?? false;
}
