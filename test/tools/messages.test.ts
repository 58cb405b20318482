import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileOf, readEnglish, readTranslation, translatedLocales } from "../../tools/messages/files.ts";
import { problemsOf } from "../../tools/messages/verify.ts";
import { runScript } from "../e2e/child-process.ts";

const described = (messages: Readonly<Record<string, string>>) =>
	Object.fromEntries(
		Object.entries(messages).map(([key, defaultMessage]) => [key, { defaultMessage, description: "x" }]),
	);

describe("a translation", () => {
	const english = described({ "a.one": "{n, plural, one {# job} other {# jobs}} for {who}", "a.two": "Done." });

	test("with other plural forms and another order is accepted", () => {
		const messages = { "a.one": "{who}: {n, plural, one {#} many {#} other {#}}", "a.two": "Fertig." };
		expect(problemsOf(english, messages)).toStrictEqual([]);
	});

	test.each([
		["a missing key", { "a.one": "{n, number} {who}" }, "a.two: missing"],
		["an extra key", { "a.one": "{n, number} {who}", "a.two": "x", "a.three": "x" }, "a.three: not in English"],
		["another parameter", { "a.one": "{n, number} {whom}", "a.two": "x" }, "a.one: has the arguments n, whom"],
		["an invalid message", { "a.one": "{n, plural, one {#}} {who}", "a.two": "x" }, "a.one: invalid: "],
		["a quotation by accident", { "a.one": "d'{n} {who}", "a.two": "x" }, "a.one: use ’ before a brace"],
	])("with %s is rejected", (_name, messages, problem) => {
		expect(problemsOf(english, messages)).toStrictEqual([expect.stringContaining(problem)]);
	});

	test.each(translatedLocales())("in %s matches English", (locale) => {
		expect(problemsOf(readEnglish(), readTranslation(locale))).toStrictEqual([]);
	});

	test("is exported in the format of FormatJS, and its import changes nothing", async () => {
		const path = join(await mkdtemp(join(tmpdir(), "atelier-test-")), "de.json");
		const before = await readFile(fileOf("de"), "utf8");
		expect(await runScript("tools/messages.ts", { args: ["export", "de", path] })).toMatchObject({ code: 0 });
		const exported = JSON.parse(await readFile(path, "utf8")) as Record<string, { defaultMessage: string }>;
		expect(exported["state.succeeded"]).toMatchObject({ defaultMessage: "Fertig", description: "State of a job." });
		expect(await runScript("tools/messages.ts", { args: ["import", "de", path] })).toMatchObject({ code: 0 });
		expect(await readFile(fileOf("de"), "utf8")).toBe(before);
		await writeFile(path, JSON.stringify({ ...exported, "state.succeeded": { defaultMessage: "{x}" } }));
		expect(await runScript("tools/messages.ts", { args: ["import", "de", path] })).toMatchObject({
			code: 1,
			stderr: "state.succeeded: has the arguments x, English has none\n",
		});
		expect(await readFile(fileOf("de"), "utf8")).toBe(before);
	});
});
