// Maintains the messages that members read:
//   npm run messages                      writes the types of their parameters and docs/messages.md
//   npm run messages -- check             fails if a translation or a written file does not match locales/en.json
//   npm run messages -- export de FILE    writes a translation in the format of FormatJS, for Weblate or Crowdin
//   npm run messages -- import de FILE    replaces a translation by such a file, if it matches locales/en.json
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import {
	fileOf,
	readEnglish,
	readTranslation,
	toJson,
	translatedLocales,
	type DescribedMessages,
} from "./messages/files.ts";
import { messagesPage } from "./messages/page.ts";
import { paramTypesSource } from "./messages/param-types.ts";
import { problemsOf } from "./messages/verify.ts";

const ROOT = join(import.meta.dirname, "..");
const english = readEnglish();

const written = (): readonly (readonly [path: string, content: string])[] => [
	[join(ROOT, "src/i18n/message-params.ts"), paramTypesSource(english)],
	[join(ROOT, "docs/messages.md"), messagesPage(english)],
];

function fail(problems: readonly string[]): void {
	for (const problem of problems) console.error(problem);
	if (problems.length > 0) process.exitCode = 1;
}

const program = new Command("messages");
program.action(() => {
	for (const [path, content] of written()) writeFileSync(path, content);
});
program.command("check").action(() => {
	fail(
		translatedLocales().flatMap((locale) =>
			problemsOf(english, readTranslation(locale)).map((problem) => `${locale}.json: ${problem}`),
		),
	);
	const stale = written().filter(([path, content]) => readFileSync(path, "utf8") !== content);
	fail(stale.map(([path]) => `${path} is stale: run npm run messages`));
});
program
	.command("export")
	.argument("<locale>")
	.argument("<file>")
	.action((locale, file) => {
		const translation = readTranslation(locale);
		const described = Object.entries(english).map(([key, { description }]) => {
			return [key, { defaultMessage: translation[key] ?? "", description }] as const;
		});
		writeFileSync(file, toJson(Object.fromEntries(described)));
	});
program
	.command("import")
	.argument("<locale>")
	.argument("<file>")
	.action((locale, file) => {
		const described = JSON.parse(readFileSync(file, "utf8")) as DescribedMessages;
		const entries = Object.entries(described).map(([key, { defaultMessage }]) => [key, defaultMessage] as const);
		const problems = problemsOf(english, Object.fromEntries(entries));
		fail(problems);
		if (problems.length > 0) return;
		const sorted = Object.keys(english).map((key) => [key, described[key]?.defaultMessage ?? ""] as const);
		writeFileSync(fileOf(locale), toJson(Object.fromEntries(sorted)));
	});
program.parse();
