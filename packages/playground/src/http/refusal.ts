/** A refusal of the page API, in words for the page. */
export class PageRefusal extends Error {
	override readonly name = "PageRefusal";
	readonly status: number;

	constructor(status: number, message: string, options?: ErrorOptions) {
		super(message, options);
		this.status = status;
	}
}
