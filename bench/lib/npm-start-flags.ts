import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

/** The flags of `npm start` and of the image, so that benches measure what operators run. */
export async function npmStartFlags(): Promise<string[]> {
	const { scripts } = JSON.parse(await readFile("package.json", "utf8")) as { scripts: { start: string } };
	const flags = /^exec node tools\/node24\.mjs (.*) src\/index\.ts$/.exec(scripts.start)?.[1];
	assert(flags, "npm start does not start it as this bench knows");
	return flags.split(" ");
}
