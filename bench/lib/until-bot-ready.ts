import { createInterface } from "node:readline";

/** Reads the log of a starting bot. Resolves to its origin when it is ready. */
export async function untilBotReady(output: NodeJS.ReadableStream): Promise<string> {
	for await (const line of createInterface({ input: output })) {
		const { msg, url } = JSON.parse(line) as { readonly msg: string; readonly url?: string };
		if (url !== undefined && msg.startsWith("Atelier is ready")) return url;
	}
	throw new Error("the bot ended before it was ready");
}
