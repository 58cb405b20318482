/** Reports vague subjects, metaphors and replaced terms in comments, log and error texts, test titles and documents. Exits with 1. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";

interface Passage {
	/** File and line. */
	readonly at: string;
	readonly text: string;
}

interface Rule {
	readonly name: string;
	readonly pattern: RegExp;
}

const ROOT = join(import.meta.dirname, "..");
const LOG_LEVELS = new Set(["trace", "debug", "info", "warn", "error", "fatal"]);

const RULES: readonly Rule[] = [
	{
		name: "a definite subject",
		pattern: /\b(nobody|somebody|anybody|everybody|whoever|whichever|whatever is|nothing is)\b/i,
	},
	{ name: "the subject first", pattern: /^(What|Where|Who|How|Why|Whether|Nothing|(Of|To|From) what)\b(?!.*\?)/ },
	{
		name: "plain verbs",
		pattern: /\b(desks?|rungs?|lets? go|letting go|under way|tells? of|told of|speaks? of|put off)\b/i,
	},
	{ name: "the words of the glossary", pattern: /\b(pictures?|films?|sealed|sealing|resealed?|fleet|wish(es)?)\b/i },
];

/** Texts of other products, and texts that members see. */
const ALLOWED = /Makes? a (film|picture)|Film Noir/;

const codeFiles = globSync(["{src,packages,test,bench,tools}/**/*.{ts,tsx,mjs}"], {
	cwd: ROOT,
	exclude: ["**/node_modules/**", "**/dist/**", "tools/check-style.ts"],
});
const documents = globSync(
	["README.md", "CONTRIBUTING.md", ".github/*.md", "{docs,examples}/**/*.md", "packages/*/README.md"],
	{
		cwd: ROOT,
		// Generated from other texts.
		exclude: ["docs/licenses.md", "docs/messages.md"],
	},
);

function textOf(node: ESTree.Argument | undefined): string {
	if (node?.type === "Literal") return typeof node.value === "string" ? node.value : "";
	return node?.type === "TemplateLiteral" ? node.quasis.map(({ value }) => value.cooked ?? "").join("…") : "";
}

/** Returns the name of a called function: `test` of `test.each(rows)(…)`, `warn` of `logger.warn(…)`. */
function calleeName({ callee }: ESTree.CallExpression): string {
	let node: ESTree.Expression = callee;
	while (node.type === "CallExpression") node = node.callee;
	if (node.type !== "MemberExpression") return node.type === "Identifier" ? node.name : "";
	const { object, property } = node;
	if (object.type === "Identifier" && ["test", "describe"].includes(object.name)) return object.name;
	return property.type === "Identifier" ? property.name : "";
}

/** Titles begin in lower case: capitalized, they follow the same rules as sentences. */
function capitalize(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

function commentsIn(source: string, comments: readonly { value: string; start: number; end: number }[]) {
	const joined: { start: number; end: number; text: string }[] = [];
	for (const { value, start, end } of comments) {
		const text = value
			.replace(/^\*+/, "")
			.replaceAll(/\n\s*\*?\s?/g, " ")
			.trim();
		const last = joined.at(-1);
		if (last && source.slice(last.end, start).trim() === "") {
			joined[joined.length - 1] = { start: last.start, end, text: `${last.text} ${text}` };
		} else joined.push({ start, end, text });
	}
	return joined;
}

function passagesOfCode(file: string): readonly Passage[] {
	const source = readFileSync(join(ROOT, file), "utf8");
	const { program, comments } = parseSync(file, source);
	const found: { start: number; text: string }[] = commentsIn(source, comments);
	new Visitor({
		CallExpression(node) {
			const name = calleeName(node);
			if (name === "test" || name === "describe")
				found.push({ start: node.start, text: capitalize(textOf(node.arguments[0])) });
			if (LOG_LEVELS.has(name)) found.push(...node.arguments.map((arg) => ({ start: arg.start, text: textOf(arg) })));
		},
		NewExpression(node) {
			if (node.callee.type !== "Identifier" || !node.callee.name.endsWith("Error")) return;
			found.push(...node.arguments.map((arg) => ({ start: arg.start, text: textOf(arg) })));
		},
	}).visit(program);
	return found.map(({ start, text }) => ({ at: `${file}:${source.slice(0, start).split("\n").length}`, text }));
}

function passagesOfDocument(file: string): readonly Passage[] {
	let inCode = false;
	return readFileSync(join(ROOT, file), "utf8")
		.split("\n")
		.flatMap((line, index) => {
			if (line.trimStart().startsWith("```")) inCode = !inCode;
			const sentences = inCode ? [] : line.replaceAll(/`[^`]*`|\]\([^)]*\)/g, "…").split(/(?<=[.:|])\s+/);
			return sentences.map((text) => ({ at: `${file}:${index + 1}`, text: text.replace(/^[\s\-*|#>]+/, "") }));
		});
}

function violations({ at, text }: Passage): readonly string[] {
	if (ALLOWED.test(text)) return [];
	return RULES.flatMap(({ name, pattern }) => {
		const match = pattern.exec(text);
		return match ? [`${at}: expected ${name}, found "${match[0]}"`] : [];
	});
}

const found = [...codeFiles.flatMap(passagesOfCode), ...documents.flatMap(passagesOfDocument)].flatMap(violations);
for (const violation of found) process.stdout.write(`${violation}\n`);
process.exitCode = found.length > 0 ? 1 : 0;
