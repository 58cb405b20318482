import type { APIEmbed, APIMessage, MessageType } from "discord-api-types/v10";
import type { StoredAttachment } from "../media/stored-attachment.ts";

export interface StoredMessage {
	readonly id: string;
	readonly channelId: string;
	readonly guildId: string | null;
	readonly type: MessageType;
	readonly content: string;
	readonly flags: number;
	readonly tts: boolean;
	readonly createdMs: number;
	readonly editedMs: number | null;
	readonly attachments: readonly StoredAttachment[];
	/** Media are stored as sent, `attachment://name` included, and resolved when shown. */
	readonly embeds: readonly APIEmbed[];
	readonly components: APIMessage["components"] & {};
	readonly mentionedUserIds: readonly string[];
	readonly mentionedRoleIds: readonly string[];
	readonly mentionsEveryone: boolean;
	/** The only user who sees it; `null` for everyone in the channel. */
	readonly visibleTo: string | null;
	readonly interaction: {
		readonly id: string;
		/** The command that started it; empty for a component. */
		readonly name: string;
		readonly userId: string;
		readonly isFollowUp: boolean;
		/** Absent on messages from before components were supported. */
		readonly origin?: MessageOrigin;
	} | null;
	readonly nonce: string | number | null;
	readonly repliesTo: string | null;
}

interface CommandOrigin {
	readonly kind: "command";
	/** With its subcommand, as messages name it. */
	readonly commandName: string;
	/** The target of a context menu command; absent for a slash command. */
	readonly target?: { readonly kind: "user" | "message"; readonly id: string };
}

interface ComponentOrigin {
	readonly kind: "component";
	/** The message of the component. */
	readonly messageId: string;
}

interface ModalOrigin {
	readonly kind: "modal";
	/** The interaction whose callback opened the submitted modal. */
	readonly opener: { readonly id: string } & (CommandOrigin | ComponentOrigin);
}

/** The interaction that a message responds to. */
export type MessageOrigin = CommandOrigin | ComponentOrigin | ModalOrigin;
