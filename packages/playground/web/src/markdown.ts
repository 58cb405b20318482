/**
 * Parses Discord's markdown into a tree of plain objects. Nothing in the tree is markup, so a message can only ever be shown as
 * text. docs/decisions/0012-preact-for-pages.md says why this is not discord-markdown-parser.
 */
import { safeUrl } from "./safe-urls.ts";

export type Inline =
	| { type: "text"; text: string }
	| { type: "bold" | "italic" | "underline" | "strike" | "spoiler"; children: Inline[] }
	| { type: "code"; text: string }
	| { type: "link"; url: string; children: Inline[] }
	/** The id of `@everyone` and `@here` is their name. */
	| { type: "mention"; kind: MentionKind; id: string }
	| { type: "command"; name: string }
	| { type: "emoji"; id: string; name: string }
	| { type: "timestamp"; seconds: number; style: string };

export type Block =
	| { type: "paragraph" | "subtext"; children: Inline[] }
	| { type: "heading"; level: number; children: Inline[] }
	| { type: "quote"; children: Block[] }
	| { type: "list"; ordered: boolean; start: number; items: Block[][] }
	| { type: "codeBlock"; language: string; text: string };

export type MentionKind = "user" | "role" | "channel" | "everyone";

type Found = { node: Inline; end: number } | null;

/** Deeper nesting is shown as typed: bounds the recursion. */
const DEPTH_MAX = 10;
/** Beyond this, a date cannot be formatted. */
const SECONDS_MAX = 8_640_000_000_000;

/** Longest first, so that `**` is never read as two `*`. */
const PAIRS = [
	["**", "bold"],
	["__", "underline"],
	["~~", "strike"],
	["||", "spoiler"],
	["*", "italic"],
	["_", "italic"],
] as const;

/** All inline forms but pairs of marks. Null for a text that only looks like the form. */
const TOKENS: readonly (readonly [RegExp, (match: RegExpExecArray) => Inline | null])[] = [
	[/\\([^\w\s])/y, ([, text = ""]) => ({ type: "text", text })],
	[/``(?!`)([^]+?)``/y, ([, text = ""]) => ({ type: "code", text: text.trim() })],
	[/`([^`]+)`/y, ([, text = ""]) => ({ type: "code", text })],
	[/<@!?(\d{1,20})>/y, ([, id = ""]) => ({ type: "mention", kind: "user", id })],
	[/<@&(\d{1,20})>/y, ([, id = ""]) => ({ type: "mention", kind: "role", id })],
	[/<#(\d{1,20})>/y, ([, id = ""]) => ({ type: "mention", kind: "channel", id })],
	[/@(everyone|here)/y, ([, id = ""]) => ({ type: "mention", kind: "everyone", id })],
	[/<\/([-'\p{L}\p{M}\p{N}_ ]{1,100}):\d{1,20}>/uy, ([, name = ""]) => ({ type: "command", name })],
	[/<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/y, ([, seconds, style = "f"]) => timestamp(Number(seconds), style)],
	[/<a?:(\w{1,32}):(\d{1,20})>/y, ([, name = "", id = ""]) => ({ type: "emoji", id, name })],
	[/<(https?:\/\/[^\s<>]{1,2000})>/y, ([, url = ""]) => linkTo(url)],
	// Parentheses belong to an address in pairs only, and punctuation at its end never.
	[/https?:\/\/(?:\([^\s<()]{0,200}\)|[^\s<()]){1,2000}(?<![.,:;!?"'\]*_~|])/y, ([url]) => linkTo(url)],
	[
		/\[([^[\]\n]{1,1000})\]\(<?(https?:\/\/[^\s()<>]{1,2000})>?\)/y,
		([, label = "", url = ""]) => linkTo(url, labelOf(label)),
	],
];
const CODE_BLOCK = /```(?:([\w+#.-]{1,20})\n)?([^]+?)```\n?/g;

export function parseMarkdown(typed: string): Block[] {
	const text = typed.replaceAll("\r\n", "\n");
	const blocks: Block[] = [];
	let from = 0;
	for (const { 0: whole, 1: language = "", 2: code = "", index } of text.matchAll(CODE_BLOCK)) {
		blocks.push(...parseLines(text.slice(from, index).replace(/\n$/, ""), 0));
		blocks.push({ type: "codeBlock", language, text: code.replaceAll(/^\n|\n$/g, "") });
		from = index + whole.length;
	}
	return [...blocks, ...parseLines(text.slice(from), 0)];
}

function parseLines(text: string, depth: number): Block[] {
	if (text === "") return [];
	if (depth >= DEPTH_MAX) return [{ type: "paragraph", children: [{ type: "text", text }] }];
	const blocks: Block[] = [];
	const lines = text.split("\n");
	let plain: string[] = [];
	const endParagraph = (): void => {
		if (plain.join("").trim() !== "")
			blocks.push({ type: "paragraph", children: parseInline(plain.join("\n"), depth + 1) });
		plain = [];
	};

	for (let at = 0; at < lines.length; at += 1) {
		const line = lines[at] ?? "";
		const [, marks, title = ""] = /^(#{1,3}|-#) +(\S.*)$/.exec(line) ?? [];
		if (marks !== undefined) {
			endParagraph();
			const children = parseInline(title, depth + 1);
			blocks.push(marks === "-#" ? { type: "subtext", children } : { type: "heading", level: marks.length, children });
		} else if (line.startsWith(">>> ")) {
			endParagraph();
			const rest = [line.slice(4), ...lines.slice(at + 1)].join("\n");
			blocks.push({ type: "quote", children: parseLines(rest, depth + 1) });
			return blocks;
		} else if (line.startsWith("> ")) {
			endParagraph();
			const quoted = takeWhile(lines, at, (next) => next.startsWith("> ") || next === ">");
			blocks.push({ type: "quote", children: parseLines(quoted.map((next) => next.slice(2)).join("\n"), depth + 1) });
			at += quoted.length - 1;
		} else if (bulletOf(line)?.indent === 0) {
			endParagraph();
			const own = takeWhile(lines, at, (next) => bulletOf(next) !== null || /^ {2,}\S/.test(next));
			blocks.push(...parseList(own, depth));
			at += own.length - 1;
		} else plain.push(line);
	}
	endParagraph();
	return blocks;
}

function takeWhile(lines: readonly string[], from: number, belongs: (line: string) => boolean): readonly string[] {
	const end = lines.findIndex((line, at) => at > from && !belongs(line));
	return lines.slice(from, end === -1 ? lines.length : end);
}

function bulletOf(line: string): { indent: number; width: number; number: number | null } | null {
	const match = /^( *)(?:[-*]|(\d{1,9})\.) +(?=\S)/.exec(line);
	if (!match) return null;
	const number = match[2] === undefined ? null : Number(match[2]);
	return { indent: match[1]?.length ?? 0, width: match[0].length, number };
}

/** Lines with a bullet at the margin start an item; indented lines below belong to it. */
function parseList(lines: readonly string[], depth: number): Block[] {
	const lists: Extract<Block, { type: "list" }>[] = [];
	for (let at = 0; at < lines.length;) {
		const bullet = bulletOf(lines[at] ?? "");
		if (!bullet) break;
		const own = takeWhile(lines, at, (line) => line.startsWith("  ") || (bulletOf(line)?.indent ?? 0) > 0);
		const rest = own.slice(1).map((line) => line.slice(Math.min(2, line.length - line.trimStart().length)));
		const ordered = bullet.number !== null;
		let list = lists.at(-1);
		if (!list || list.ordered !== ordered) {
			list = { type: "list", ordered, start: bullet.number ?? 1, items: [] };
			lists.push(list);
		}
		list.items.push(parseLines([(own[0] ?? "").slice(bullet.width), ...rest].join("\n"), depth + 1));
		at += own.length;
	}
	return lists;
}

/** Parses text without blocks, such as the title of an embed. */
export function parseInline(text: string, depth = 0): Inline[] {
	if (depth >= DEPTH_MAX) return text === "" ? [] : [{ type: "text", text }];
	const nodes: Inline[] = [];
	/** Marks without a closing partner further on. Without this set, a row of openers would cost quadratic time. */
	const unpaired = new Set<string>();
	let plain = "";
	for (let at = 0; at < text.length;) {
		const found = /[\\`*_~|[<@h]/.test(text.charAt(at)) ? inlineAt(text, at, depth, unpaired) : null;
		if (!found) {
			plain += text.charAt(at);
			at += 1;
			continue;
		}
		at = found.end;
		if (found.node.type === "text") {
			plain += found.node.text;
			continue;
		}
		if (plain !== "") nodes.push({ type: "text", text: plain });
		plain = "";
		nodes.push(found.node);
	}
	if (plain !== "") nodes.push({ type: "text", text: plain });
	return nodes;
}

function inlineAt(text: string, at: number, depth: number, unpaired: Set<string>): Found {
	for (const [pattern, toNode] of TOKENS) {
		pattern.lastIndex = at;
		const match = pattern.exec(text);
		const node = match && toNode(match);
		if (node) return { node, end: at + match[0].length };
	}
	for (const [mark, type] of PAIRS) {
		if (!text.startsWith(mark, at) || unpaired.has(mark)) continue;
		// An underscore inside a word is part of a name such as aspect_ratio.
		if (mark === "_" && /\w/.test(text.charAt(at - 1))) continue;
		const from = at + mark.length;
		if (type === "italic" && (/\s/.test(text.charAt(from)) || text.startsWith(mark, from))) continue;
		const close = closingMark(text, from, mark);
		if (close === -1) unpaired.add(mark);
		if (close <= from) continue;
		return { node: { type, children: parseInline(text.slice(from, close), depth + 1) }, end: close + mark.length };
	}
	return null;
}

function closingMark(text: string, from: number, mark: string): number {
	for (let at = from; at < text.length; at += 1) {
		if (text.charAt(at) === "\\") at += 1;
		else if (text.startsWith(mark, at)) {
			const after = text.charAt(at + mark.length);
			if (mark.length === 2) {
				// `***both***`: the pair closes at the end of the run, so that the inner mark keeps its own.
				if (after !== mark.charAt(0)) return at;
			} else if (text.startsWith(mark + mark, at)) at += 1;
			else if (at > from && !/\s/.test(text.charAt(at - 1)) && !(mark === "_" && /\w/.test(after))) return at;
		}
	}
	return -1;
}

function timestamp(seconds: number, style: string): Inline | null {
	return Math.abs(seconds) > SECONDS_MAX ? null : { type: "timestamp", seconds, style };
}

/** A link inside a label is only its text. */
function labelOf(text: string): Inline[] {
	return parseInline(text, DEPTH_MAX - 1).flatMap((node) => (node.type === "link" ? node.children : [node]));
}

function linkTo(typed: string, children: Inline[] = [{ type: "text", text: typed }]): Inline | null {
	const url = safeUrl(typed);
	return url === null ? null : { type: "link", url, children };
}
