import { OperatorError } from "@atelier/common/operator-error";

/** The store cannot be opened. The message never has a password. */
export class StoreNotUsable extends OperatorError {
	override readonly name: string = "StoreNotUsable";
}

/** The store gave no answer. What was asked of it may have happened or not. */
export class StoreUnavailable extends Error {
	override readonly name = "StoreUnavailable";
}

/** The store answered with an error. Nothing was changed. */
export class StoreRefused extends Error {
	override readonly name = "StoreRefused";
}
