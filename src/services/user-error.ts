import type { MessageKey, MessageRef } from "../i18n/message-ref.ts";

/** A denial with a reason that the member can act on. Carries a message key with parameters, never text. */
export class UserError<K extends MessageKey = MessageKey> extends Error {
	override readonly name = "UserError";
	readonly messageRef: MessageRef<K>;

	constructor(messageRef: MessageRef<K>) {
		super(messageRef.key);
		this.messageRef = messageRef;
	}
}
