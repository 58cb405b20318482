/** One request. `{taskId}` and `{key}` stand for what is asked about, in the path and anywhere in the body. */
export interface RequestShape {
	readonly method: "GET" | "POST" | "DELETE";
	/** Below the base address, with its query. */
	readonly path: string;
	readonly body?: Readonly<Record<string, unknown>>;
}

/** What stands for the names in braces. */
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
