import type { MessageKey, MessageRef } from "../i18n/messages.ts";

/** An expected no, with a reason a person can act on. Carries what to say, never how it is worded. */
export class UserError<K extends MessageKey = MessageKey> extends Error {
	override readonly name = "UserError";
	readonly saying: MessageRef<K>;

	constructor(saying: MessageRef<K>) {
		super(saying.key);
		this.saying = saying;
	}
}
