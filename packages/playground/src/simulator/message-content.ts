/** The content of messages, which a bot reads only with the message content intent. */
import type { APIMessage } from "discord-api-types/v10";

/**
 * Empties the fields that need the intent, also in the message that is replied to. The bot's own messages and those that
 * mention it stay complete. Only for messages in guilds. https://docs.discord.com/developers/events/gateway#message-content-intent
 */
export function withoutContent(message: APIMessage, botId: string): APIMessage {
	const { referenced_message: referenced } = message;
	const reply = referenced ? { ...message, referenced_message: withoutContent(referenced, botId) } : message;
	if (message.author.id === botId || message.mentions.some(({ id }) => id === botId)) return reply;
	const { poll: _, ...rest } = reply;
	return { ...rest, content: "", embeds: [], attachments: [], components: [] };
}
