import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

/** What Node is given by `npm start` and in the image, so that a bench measures what people run. */
export async function startFlags(): Promise<string[]> {
	const { scripts } = JSON.parse(await readFile("package.json", "utf8")) as { scripts: { start: string } };
	const flags = /^exec node tools\/node24\.mjs (.*) src\/index\.ts$/.exec(scripts.start)?.[1];
	assert(flags, "npm start does not start it as this bench knows");
	return flags.split(" ");
}
