import { OperatorError } from "@atelier/common/operator-error";

/** The store cannot be opened. The message never contains a password. */
export class StoreNotUsableError extends OperatorError {
	override readonly name: string = "StoreNotUsableError";
}

/** The store did not respond, or its disk failed. It is unknown whether the operation was executed. */
export class StoreUnavailableError extends Error {
	override readonly name = "StoreUnavailableError";
}

/** The store responded with an error, and changed nothing. */
export class StoreRejectedError extends Error {
	override readonly name = "StoreRejectedError";
}

/** The document exists but is unreadable. It never counts as missing, so a compare-and-set cannot overwrite it. */
export class CorruptDocumentError extends Error {
	override readonly name = "CorruptDocumentError";
	readonly key: string;

	constructor(key: string, cause: unknown) {
		super(`the document ${key} cannot be read`, { cause });
		this.key = key;
	}
}

/** Returns whether the store failed. That says nothing about the documents: the operation may succeed later. */
export function isStoreFailure(error: unknown): error is StoreUnavailableError | StoreRejectedError {
	return error instanceof StoreUnavailableError || error instanceof StoreRejectedError;
}
