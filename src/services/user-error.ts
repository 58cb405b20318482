import type { MessageKey, MessageDescriptor } from "../i18n/message-descriptor.ts";

/** A denial with a reason that the member can act on. Carries a message key with parameters, never text. */
export class UserError<K extends MessageKey = MessageKey> extends Error {
	override readonly name = "UserError";
	readonly messageDescriptor: MessageDescriptor<K>;

	constructor(messageDescriptor: MessageDescriptor<K>, options?: ErrorOptions) {
		super(messageDescriptor.key, options);
		this.messageDescriptor = messageDescriptor;
	}
}
