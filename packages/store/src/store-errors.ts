import { OperatorError } from "@atelier/common/operator-error";

/** The store cannot be opened. The message never has a password. */
export class StoreNotUsableError extends OperatorError {
	override readonly name: string = "StoreNotUsableError";
}

/** The store gave no answer. What was asked of it may have happened or not. */
export class StoreUnavailableError extends Error {
	override readonly name = "StoreUnavailableError";
}

/** The store answered with an error. Nothing was changed. */
export class StoreRefusedError extends Error {
	override readonly name = "StoreRefusedError";
}
