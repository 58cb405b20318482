/** A rejected request of the page API, with a message for the page. */
export class PageApiError extends Error {
	override readonly name = "PageRefusalError";
	readonly status: number;

	constructor(status: number, message: string, options?: ErrorOptions) {
		super(message, options);
		this.status = status;
	}
}
