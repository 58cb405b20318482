/** The template of a request. `{taskId}` and `{key}` are replaced in the path and in the body. */
export interface RequestShape {
	readonly method: "GET" | "POST" | "DELETE";
	/** Relative to the base URL, with its query. */
	readonly path: string;
	readonly body?: Readonly<Record<string, unknown>>;
}

/** The values of the names in braces. */
export type RequestValues = Readonly<Record<string, string>>;

export function pathOf({ path }: RequestShape, values: RequestValues): string {
	return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

export function filledBody({ body }: RequestShape, values: RequestValues): object | undefined {
	if (body === undefined) return undefined;
	const filled = JSON.stringify(body, (_, value: unknown) => {
		const name = typeof value === "string" ? /^\{(\w+)\}$/.exec(value)?.[1] : undefined;
		return name === undefined ? value : values[name];
	});
	return JSON.parse(filled) as object;
}
