/** The template of a request. `{taskId}` and `{key}`, the idempotency key, are replaced in the path, and in the body as whole values. */
export interface RequestTemplate {
	readonly method: "GET" | "POST" | "DELETE";
	/** Relative to the base URL, with its query. */
	readonly path: string;
	readonly body?: Readonly<Record<string, unknown>>;
}

/** Values by the names in braces. */
export type RequestValues = Readonly<Record<string, string>>;

/** Returns the base of the templates' paths. Operators may copy an address that ends with their prefix. */
export function baseUrlOf(address: string): string {
	return address.replace(/\/+$/, "").replace(/\/api\/v\d+$/, "");
}

export function pathOf({ path }: RequestTemplate, values: RequestValues): string {
	return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

export function bodyOf({ body }: RequestTemplate, values: RequestValues): object | undefined {
	if (body === undefined) return undefined;
	const filled = JSON.stringify(body, (_, value: unknown) => {
		const name = typeof value === "string" ? /^\{(\w+)\}$/.exec(value)?.[1] : undefined;
		return name === undefined ? value : values[name];
	});
	return JSON.parse(filled) as object;
}
