import type { MessageDescriptor } from "../i18n/message-descriptor.ts";

/** The reply to a denial offers one of these to its member. */
export type Remedy =
	/** Look up the limits that apply, and how much is left of them. */
	| "limits"
	/** The same, and buy credits. */
	| "topUp"
	/** Look up what the server lets its members generate. */
	| "help"
	/** Edit the prompt. */
	| "editPrompt"
	/** Change one of the typed texts, perhaps not the prompt. */
	| "editTexts";

/** The message of a denial: a reason that the member can act on, never text. */
export type Denial = MessageDescriptor & { readonly remedy?: Remedy };

/** A denial with a reason that the member can act on. */
export class UserError extends Error {
	override readonly name = "UserError";
	readonly messageDescriptor: MessageDescriptor;
	readonly remedy: Remedy | undefined;

	constructor({ remedy, ...messageDescriptor }: Denial, options?: ErrorOptions) {
		super(messageDescriptor.key, options);
		this.messageDescriptor = messageDescriptor;
		this.remedy = remedy;
	}
}
