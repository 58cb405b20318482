/** The store cannot be opened: what is wrong, in words for the person who starts it, and never with a password. */
export class StoreNotUsable extends Error {
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
