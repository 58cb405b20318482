/**
 * Discord's markdown as a tree. Text in, plain objects out: nothing here knows of a page, and nothing in the tree is
 * markup, so whatever a message says can only ever be shown as text.
 */

/**
 * @typedef {{ type: "text", text: string }
 *   | { type: "bold" | "italic" | "underline" | "strike" | "spoiler", children: Inline[] }
 *   | { type: "code", text: string }
 *   | { type: "link", url: string, children: Inline[] }
 *   | { type: "mention", kind: "user" | "role" | "channel", id: string }
 *   | { type: "command", name: string }
 *   | { type: "timestamp", seconds: number, style: string }} Inline
 */

/**
 * @typedef {{ type: "paragraph" | "subtext", children: Inline[] }
 *   | { type: "heading", level: 1 | 2 | 3, children: Inline[] }
 *   | { type: "quote", children: Block[] }
 *   | { type: "list", ordered: boolean, start: number, items: Block[][] }
 *   | { type: "codeBlock", language: string, text: string }} Block
 */

/** Deeper nesting than this is shown as it was typed: no message can make the page recurse without end. */
const DEPTH_MAX = 10;

/** Longest first, so that `**` is never read as two `*`. */
const PAIRS = /** @type {const} */ ([
	["**", "bold"],
	["__", "underline"],
	["~~", "strike"],
	["||", "spoiler"],
	["*", "italic"],
	["_", "italic"],
]);

const TAGS = {
	user: /<@!?(\d{1,20})>/y,
	role: /<@&(\d{1,20})>/y,
	channel: /<#(\d{1,20})>/y,
	command: /<\/([-\w ]{1,100}):\d{1,20}>/y,
	timestamp: /<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/y,
	emoji: /<a?:(\w{1,32}):\d{1,20}>/y,
	bareUrl: /https?:\/\/[^\s<]{1,2000}/y,
	quietUrl: /<(https?:\/\/[^\s<>]{1,2000})>/y,
	maskedUrl: /\[([^[\]\n]{1,1000})\]\(<?(https?:\/\/[^\s()<>]{1,2000})>?\)/y,
};

/**
 * @param {string} text
 * @returns {Block[]}
 */
export function parseMarkdown(text) {
	return parseBlocks(text.replaceAll("\r\n", "\n"), 0);
}

/**
 * @param {string} text
 * @param {number} depth
 * @returns {Block[]}
 */
function parseBlocks(text, depth) {
	/** @type {Block[]} */
	const blocks = [];
	let from = 0;
	for (;;) {
		const open = text.indexOf("```", from);
		const close = open === -1 ? -1 : text.indexOf("```", open + 3);
		if (close === -1 || close === open + 3) break;
		blocks.push(...parseLines(text.slice(from, open).replace(/\n$/, ""), depth));
		const body = text.slice(open + 3, close);
		const language = /^([\w+#.-]{1,20})\n/.exec(body)?.[1] ?? "";
		blocks.push({
			type: "codeBlock",
			language,
			text: body.slice(language.length).replace(/^\n/, "").replace(/\n$/, ""),
		});
		from = close + 3;
		if (text[from] === "\n") from += 1;
	}
	blocks.push(...parseLines(text.slice(from), depth));
	return blocks;
}

/**
 * @param {string} text
 * @param {number} depth
 * @returns {Block[]}
 */
function parseLines(text, depth) {
	if (text === "") return [];
	if (depth >= DEPTH_MAX) return [{ type: "paragraph", children: [{ type: "text", text }] }];
	/** @type {Block[]} */
	const blocks = [];
	const lines = text.split("\n");
	/** @type {string[]} */
	let plain = [];
	const endParagraph = () => {
		if (plain.length > 0 && plain.join("").trim() !== "") {
			blocks.push({ type: "paragraph", children: parseInline(plain.join("\n"), depth + 1) });
		}
		plain = [];
	};

	for (let at = 0; at < lines.length; at += 1) {
		const line = lines[at] ?? "";
		const heading = /^(#{1,3}) +(\S.*)$/.exec(line);
		const subtext = /^-# +(\S.*)$/.exec(line);
		if (heading) {
			endParagraph();
			const level = /** @type {1 | 2 | 3} */ (heading[1]?.length ?? 1);
			blocks.push({ type: "heading", level, children: parseInline(heading[2] ?? "", depth + 1) });
		} else if (subtext) {
			endParagraph();
			blocks.push({ type: "subtext", children: parseInline(subtext[1] ?? "", depth + 1) });
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
		} else {
			plain.push(line);
		}
	}
	endParagraph();
	return blocks;
}

/**
 * @param {readonly string[]} lines
 * @param {number} from
 * @param {(line: string) => boolean} belongs
 */
function takeWhile(lines, from, belongs) {
	const end = lines.findIndex((line, at) => at > from && !belongs(line));
	return lines.slice(from, end === -1 ? lines.length : end);
}

/** @param {string} line */
function bulletOf(line) {
	const match = /^( *)(?:[-*]|(\d{1,9})\.) +(?=\S)/.exec(line);
	if (!match) return null;
	return {
		indent: match[1]?.length ?? 0,
		width: match[0].length,
		number: match[2] === undefined ? null : Number(match[2]),
	};
}

/**
 * Lines that start with a bullet at the margin; whatever is indented below one belongs to it.
 *
 * @param {readonly string[]} lines
 * @param {number} depth
 * @returns {Block[]}
 */
function parseList(lines, depth) {
	/** @type {Extract<Block, { type: "list" }>[]} */
	const lists = [];
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

/**
 * @param {string} text
 * @param {number} depth
 * @returns {Inline[]}
 */
function parseInline(text, depth = 0) {
	if (depth >= DEPTH_MAX) return text === "" ? [] : [{ type: "text", text }];
	/** @type {Inline[]} */
	const nodes = [];
	/** Delimiters known to have no partner further on: without it a row of openers would cost quadratic time. */
	/** @type {Set<string>} */
	const lonely = new Set();
	let plain = "";
	for (let at = 0; at < text.length;) {
		const found = /[\\`*_~|[<h]/.test(text.charAt(at)) ? inlineAt(text, at, depth, lonely) : null;
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

/**
 * @param {string} text
 * @param {number} at
 * @param {number} depth
 * @param {Set<string>} lonely
 * @returns {{ node: Inline, end: number } | null}
 */
function inlineAt(text, at, depth, lonely) {
	const first = text.charAt(at);
	if (first === "\\") {
		const escaped = text.charAt(at + 1);
		return /[^\w\s]/.test(escaped) ? { node: { type: "text", text: escaped }, end: at + 2 } : null;
	}
	if (first === "`") return codeAt(text, at);
	if (first === "<" || first === "h" || first === "[") return tagAt(text, at, depth);
	for (const [mark, type] of PAIRS) {
		if (!text.startsWith(mark, at) || lonely.has(mark)) continue;
		// An underscore inside a word is a name such as aspect_ratio, not emphasis.
		if (mark === "_" && /\w/.test(text.charAt(at - 1))) continue;
		const from = at + mark.length;
		if (type === "italic" && (/\s/.test(text.charAt(from)) || text.startsWith(mark, from))) continue;
		const close = closingMark(text, from, mark);
		if (close === -1) lonely.add(mark);
		if (close <= from) continue;
		return { node: { type, children: parseInline(text.slice(from, close), depth + 1) }, end: close + mark.length };
	}
	return null;
}

/**
 * @param {string} text
 * @param {number} from
 * @param {string} mark
 */
function closingMark(text, from, mark) {
	for (let at = from; at < text.length; at += 1) {
		if (text.charAt(at) === "\\") at += 1;
		else if (text.startsWith(mark, at)) {
			const after = text.charAt(at + mark.length);
			if (mark.length === 2) {
				// `***both***`: the pair closes at the end of the run, so that the inner one keeps its own mark.
				if (after !== mark.charAt(0)) return at;
			} else if (text.startsWith(mark + mark, at)) at += 1;
			else if (at > from && !/\s/.test(text.charAt(at - 1)) && !(mark === "_" && /\w/.test(after))) return at;
		}
	}
	return -1;
}

/**
 * @param {string} text
 * @param {number} at
 * @returns {{ node: Inline, end: number } | null}
 */
function codeAt(text, at) {
	const mark = text.startsWith("``", at) ? "``" : "`";
	const close = text.indexOf(mark, at + mark.length);
	if (close <= at + mark.length) return null;
	const body = text.slice(at + mark.length, close);
	return { node: { type: "code", text: mark === "``" ? body.trim() : body }, end: close + mark.length };
}

/**
 * @param {string} text
 * @param {number} at
 * @param {number} depth
 * @returns {{ node: Inline, end: number } | null}
 */
function tagAt(text, at, depth) {
	/** @param {RegExp} pattern */
	const match = (pattern) => {
		pattern.lastIndex = at;
		return pattern.exec(text);
	};
	if (text.charAt(at) === "h") {
		const bare = match(TAGS.bareUrl);
		const url = bare && webUrl(withoutTrailingPunctuation(bare[0]));
		return url
			? {
					node: { type: "link", url: url.href, children: [{ type: "text", text: url.typed }] },
					end: at + url.typed.length,
				}
			: null;
	}
	if (text.charAt(at) === "[") {
		const masked = match(TAGS.maskedUrl);
		const url = masked && webUrl(masked[2] ?? "");
		if (!masked || !url) return null;
		return {
			node: {
				type: "link",
				url: url.href,
				children: parseInline(masked[1] ?? "", DEPTH_MAX - 1).flatMap(withoutLinks),
			},
			end: at + masked[0].length,
		};
	}
	for (const kind of /** @type {const} */ (["user", "role", "channel"])) {
		const mention = match(TAGS[kind]);
		if (mention) return { node: { type: "mention", kind, id: mention[1] ?? "" }, end: at + mention[0].length };
	}
	const command = match(TAGS.command);
	if (command) return { node: { type: "command", name: command[1] ?? "" }, end: at + command[0].length };
	const timestamp = match(TAGS.timestamp);
	if (timestamp) {
		const seconds = Number(timestamp[1]);
		// Beyond this a date cannot be formatted at all.
		if (Math.abs(seconds) > 8_640_000_000_000) return null;
		return { node: { type: "timestamp", seconds, style: timestamp[2] ?? "f" }, end: at + timestamp[0].length };
	}
	const emoji = match(TAGS.emoji);
	if (emoji) return { node: { type: "text", text: `:${emoji[1]}:` }, end: at + emoji[0].length };
	const quiet = match(TAGS.quietUrl);
	const url = quiet && webUrl(quiet[1] ?? "");
	if (!quiet || !url || depth >= DEPTH_MAX) return null;
	return {
		node: { type: "link", url: url.href, children: [{ type: "text", text: url.typed }] },
		end: at + quiet[0].length,
	};
}

/**
 * A link inside a link's label is only its text.
 *
 * @param {Inline} node
 * @returns {Inline[]}
 */
function withoutLinks(node) {
	return node.type === "link" ? node.children : [node];
}

/** @param {string} typed */
function webUrl(typed) {
	const url = URL.parse(typed);
	if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
	return { href: url.href, typed };
}

/** @param {string} typed */
function withoutTrailingPunctuation(typed) {
	let end = typed.length;
	for (; end > 0; end -= 1) {
		const last = typed.charAt(end - 1);
		if (last === ")" && typed.slice(0, end).split("(").length >= typed.slice(0, end).split(")").length) break;
		if (!/[.,:;!?"'\])*_~|]/.test(last)) break;
	}
	return typed.slice(0, end);
}
