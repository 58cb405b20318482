/** What was typed cannot be meant; the message says what is wrong with it. */
export class UsageFault extends Error {
	override readonly name = "UsageFault";
}
