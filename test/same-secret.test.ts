import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isSameSecret } from "../src/same-secret.ts";

test("a secret is the same only whole, whatever it is made of", () => {
	expect(isSameSecret("säcret", Buffer.from("säcret"))).toBe(true);
	for (const other of ["", "säcre", "säcret ", "sæcret", "SÄCRET"]) expect(isSameSecret(other, "säcret")).toBe(false);
});

/** A name that says it opens something, on either side of a comparison. */
const SECRET = String.raw`\b(?:\w*[tT]oken|\w*[sS]ecret|\w*[sS]ignature|sha256|\w*[aA]piKey|\w*[pP]assword|authorization)\b`;
/** Whether there is one, or what a test of its kind says; nothing of its content. */
const HARMLESS = String.raw`(?:undefined|null|""|"string"|"token"|"@original")`;
const COMPARED = new RegExp(`${SECRET}\\s*[!=]==(?!\\s*${HARMLESS})|[!=]==(?!\\s*${HARMLESS})\\s*[^&|?:;,)]*${SECRET}`);
/** By file: what is compared there opens nothing. */
const NO_SECRETS: Readonly<Record<string, string>> = {
	"discord/head-starts.ts": "which of two starts stands under a token that both have",
	"services/backup/backup-file.ts": "a checksum that stands in the file itself",
};

test("no secret is compared in another way, and nobody else compares in constant time", () => {
	const folder = join(import.meta.dirname, "../src");
	const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
	const faults = files.flatMap((name) => {
		const lines = readFileSync(join(folder, name), "utf8").split("\n");
		const isWrong = (line: string): boolean =>
			(line.includes("timingSafeEqual") && name !== "same-secret.ts") ||
			(COMPARED.test(line) && !(name in NO_SECRETS) && !/^\s*(?:\*|\/\/|\/\*)/.test(line));
		return lines.flatMap((line, index) => (isWrong(line) ? [`${name}:${index + 1} ${line.trim()}`] : []));
	});
	expect(faults).toStrictEqual([]);
	for (const wrong of [
		"if (token !== botToken)",
		"headers.authorization === `Bot ${x}`",
		"given === this.secret",
		"x !== `Bot ${botToken}`",
	]) {
		expect(wrong).toMatch(COMPARED);
	}
	expect('token !== undefined && apiKey !== ""').not.toMatch(COMPARED);
});
