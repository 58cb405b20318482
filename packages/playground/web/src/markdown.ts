/**
 * Parses Discord's markdown into a tree of plain objects. Nothing in the tree is markup, so a message can only ever be shown as
 * text. docs/decisions/0012-preact-for-pages.md says why this is not discord-markdown-parser.
 */

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

const MENTIONS = [
	["user", /<@!?(\d{1,20})>/y],
	["role", /<@&(\d{1,20})>/y],
	["channel", /<#(\d{1,20})>/y],
] as const;
const EVERYONE = /@(everyone|here)/y;
const COMMAND = /<\/([-'\p{L}\p{M}\p{N}_ ]{1,100}):\d{1,20}>/uy;
const TIMESTAMP = /<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/y;
const EMOJI = /<a?:(\w{1,32}):(\d{1,20})>/y;
const BARE_URL = /https?:\/\/[^\s<]{1,2000}/y;
const QUIET_URL = /<(https?:\/\/[^\s<>]{1,2000})>/y;
const MASKED_URL = /\[([^[\]\n]{1,1000})\]\(<?(https?:\/\/[^\s()<>]{1,2000})>?\)/y;

export function parseMarkdown(text: string): Block[] {
	return parseBlocks(text.replaceAll("\r\n", "\n"));
}

function parseBlocks(text: string): Block[] {
	const blocks: Block[] = [];
	let from = 0;
	for (;;) {
		const open = text.indexOf("```", from);
		const close = open === -1 ? -1 : text.indexOf("```", open + 3);
		if (close === -1 || close === open + 3) break;
		blocks.push(...parseLines(text.slice(from, open).replace(/\n$/, ""), 0));
		const body = text.slice(open + 3, close);
		const language = /^([\w+#.-]{1,20})\n/.exec(body)?.[1] ?? "";
		const code = body.slice(language.length).replace(/^\n/, "").replace(/\n$/, "");
		blocks.push({ type: "codeBlock", language, text: code });
		from = close + 3;
		if (text[from] === "\n") from += 1;
	}
	blocks.push(...parseLines(text.slice(from), 0));
	return blocks;
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
	const first = text.charAt(at);
	if (first === "\\") {
		const escaped = text.charAt(at + 1);
		return /[^\w\s]/.test(escaped) ? { node: { type: "text", text: escaped }, end: at + 2 } : null;
	}
	if (first === "`") return codeAt(text, at);
	if (first === "h") return bareUrlAt(text, at);
	if (first === "[") return maskedUrlAt(text, at);
	if (first === "<") return tagAt(text, at);
	if (first === "@") {
		const everyone = matchAt(EVERYONE, text, at);
		const end = at + (everyone?.[0].length ?? 0);
		return everyone && { node: { type: "mention", kind: "everyone", id: everyone[1] ?? "" }, end };
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

function codeAt(text: string, at: number): Found {
	const mark = text.startsWith("``", at) ? "``" : "`";
	const close = text.indexOf(mark, at + mark.length);
	if (close <= at + mark.length) return null;
	const body = text.slice(at + mark.length, close);
	return { node: { type: "code", text: mark === "``" ? body.trim() : body }, end: close + mark.length };
}

function tagAt(text: string, at: number): Found {
	for (const [kind, pattern] of MENTIONS) {
		const mention = matchAt(pattern, text, at);
		if (mention) return { node: { type: "mention", kind, id: mention[1] ?? "" }, end: at + mention[0].length };
	}
	const command = matchAt(COMMAND, text, at);
	if (command) return { node: { type: "command", name: command[1] ?? "" }, end: at + command[0].length };
	const timestamp = matchAt(TIMESTAMP, text, at);
	if (timestamp) {
		const seconds = Number(timestamp[1]);
		if (Math.abs(seconds) > SECONDS_MAX) return null;
		return { node: { type: "timestamp", seconds, style: timestamp[2] ?? "f" }, end: at + timestamp[0].length };
	}
	const emoji = matchAt(EMOJI, text, at);
	if (emoji) return { node: { type: "emoji", name: emoji[1] ?? "", id: emoji[2] ?? "" }, end: at + emoji[0].length };
	const quiet = matchAt(QUIET_URL, text, at);
	return quiet ? linkTo(quiet[1] ?? "", at + quiet[0].length) : null;
}

function bareUrlAt(text: string, at: number): Found {
	const [matched] = matchAt(BARE_URL, text, at) ?? [];
	if (matched === undefined) return null;
	const typed = withoutTrailingPunctuation(matched);
	return linkTo(typed, at + typed.length);
}

function maskedUrlAt(text: string, at: number): Found {
	const [whole = "", label = "", url = ""] = matchAt(MASKED_URL, text, at) ?? [];
	// A link inside a label is only its text.
	const children = parseInline(label, DEPTH_MAX - 1).flatMap((node) => (node.type === "link" ? node.children : [node]));
	return whole === "" ? null : linkTo(url, at + whole.length, children);
}

function linkTo(typed: string, end: number, children: Inline[] = [{ type: "text", text: typed }]): Found {
	const url = URL.parse(typed);
	if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
	return { node: { type: "link", url: url.href, children }, end };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
	pattern.lastIndex = at;
	return pattern.exec(text);
}

function withoutTrailingPunctuation(typed: string): string {
	let end = typed.length;
	for (; end > 0; end -= 1) {
		const last = typed.charAt(end - 1);
		if (last === ")" && typed.slice(0, end).split("(").length >= typed.slice(0, end).split(")").length) break;
		if (!/[.,:;!?"'\])*_~|]/.test(last)) break;
	}
	return typed.slice(0, end);
}
