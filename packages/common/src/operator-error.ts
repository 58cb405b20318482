/** An error whose message tells the operator what failed and what to do. Programs print it without a stack. */
export class OperatorError extends Error {
	override readonly name: string = "OperatorError";
}
