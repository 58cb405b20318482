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
	/** Media in embeds and components stands as it was sent, `attachment://name` included, and is resolved when shown. */
	readonly embeds: readonly APIEmbed[];
	readonly components: APIMessage["components"] & {};
	readonly mentionedUserIds: readonly string[];
	readonly mentionedRoleIds: readonly string[];
	readonly mentionsEveryone: boolean;
	/** The only person who sees it; `null` is everybody in the channel. */
	readonly visibleTo: string | null;
	readonly interaction: {
		readonly id: string;
		/** The command that it began with; empty where it began with a component. */
		readonly name: string;
		readonly userId: string;
		readonly isFollowUp: boolean;
		/** Absent on messages from before anything but commands was answered. */
		readonly origin?: MessageOrigin;
	} | null;
	readonly nonce: string | number | null;
	readonly repliesTo: string | null;
}

interface CommandOrigin {
	readonly kind: "command";
	/** With its subcommand, as messages name it. */
	readonly commandName: string;
	/** What a command of a context menu was used on; absent for one that was typed. */
	readonly target?: { readonly kind: "user" | "message"; readonly id: string };
}

interface ComponentOrigin {
	readonly kind: "component";
	/** The message whose component was pressed. */
	readonly messageId: string;
}

interface ModalOrigin {
	readonly kind: "modal";
	/** The interaction whose callback opened the modal that was sent. */
	readonly opener: { readonly id: string } & (CommandOrigin | ComponentOrigin);
}

/** What a person did, of all that a message may be the answer to. */
export type MessageOrigin = CommandOrigin | ComponentOrigin | ModalOrigin;
