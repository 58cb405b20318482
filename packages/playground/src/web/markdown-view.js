/**
 * Draws the tree of `markdown.js`.
 *
 * @import { Block, Inline } from "./markdown.js"
 * @import { PageState } from "../page-contract.ts"
 */
import { h } from "./dom.js";
import { parseMarkdown } from "./markdown.js";
import { memberName } from "./names.js";
import { relativeText, timestampText } from "./time.js";

/** `pings`: the people and roles that this text rang; where nothing is said, it rang nobody. @typedef {Pick<PageState, "members" | "channels" | "roles" | "me"> & { readonly pings?: ReadonlySet<string> }} MentionNames */

/**
 * @param {string} text
 * @param {MentionNames} names
 */
export function markdownView(text, names) {
	return h("div.markdown", null, blockNodes(parseMarkdown(text), names));
}

/**
 * @param {readonly Block[]} blocks
 * @param {MentionNames} names
 * @returns {Node[]}
 */
function blockNodes(blocks, names) {
	return blocks.map((block) => {
		switch (block.type) {
			case "paragraph":
				return h("p", null, inlineNodes(block.children, names));
			case "subtext":
				return h("p.subtext", null, inlineNodes(block.children, names));
			case "heading":
				return h(
					"p",
					{ class: `heading heading-${block.level}`, role: "heading", "aria-level": block.level + 3 },
					inlineNodes(block.children, names),
				);
			case "quote":
				return h("blockquote", null, blockNodes(block.children, names));
			case "list":
				return h(
					block.ordered ? "ol" : "ul",
					block.ordered ? { start: block.start } : null,
					block.items.map((item) => h("li", null, blockNodes(item, names))),
				);
			case "codeBlock":
				return h(
					"pre",
					{ tabindex: 0, "aria-label": block.language ? `Code, ${block.language}` : "Code" },
					h("code", null, block.text),
				);
		}
	});
}

/**
 * @param {readonly Inline[]} nodes
 * @param {MentionNames} names
 * @returns {(Node | string)[]}
 */
function inlineNodes(nodes, names) {
	return nodes.map((node) => {
		switch (node.type) {
			case "text":
				return node.text;
			case "bold":
				return h("strong", null, inlineNodes(node.children, names));
			case "italic":
				return h("em", null, inlineNodes(node.children, names));
			case "underline":
				return h("u", null, inlineNodes(node.children, names));
			case "strike":
				return h("s", null, inlineNodes(node.children, names));
			case "spoiler":
				return spoilerView(inlineNodes(node.children, names));
			case "code":
				return h("code", null, node.text);
			case "link":
				return linkView(node.url, inlineNodes(node.children, names));
			case "mention":
				return mentionView(node.kind, node.id, names);
			case "command":
				return h("span.mention", null, `/${node.name}`);
			case "timestamp":
				return timestampView(node.seconds, node.style, names.me.locale);
		}
	});
}

/**
 * @param {string} url
 * @param {readonly (Node | string)[]} label
 */
export function linkView(url, label) {
	return h("a", { href: url, target: "_blank", rel: "noopener noreferrer", title: url }, label);
}

/** @param {readonly (Node | string)[]} children */
function spoilerView(children) {
	const cover = h("span.spoiler", {
		role: "button",
		tabindex: 0,
		"aria-label": "Spoiler, press to show",
		"aria-expanded": "false",
	});
	const content = h("span", { "aria-hidden": "true" }, children);
	const reveal = () => {
		cover.classList.add("shown");
		for (const name of ["role", "tabindex", "aria-label", "aria-expanded"]) cover.removeAttribute(name);
		content.removeAttribute("aria-hidden");
	};
	cover.addEventListener("click", reveal);
	cover.addEventListener("keydown", (event) => {
		if (event.key !== "Enter" && event.key !== " ") return;
		event.preventDefault();
		reveal();
	});
	cover.append(content);
	return cover;
}

/**
 * A name that rang somebody looks like it; one that rang nobody is a name.
 *
 * @param {"user" | "role" | "channel"} kind
 * @param {string} id
 * @param {MentionNames} names
 */
function mentionView(kind, id, names) {
	const isQuiet = kind !== "channel" && names.pings?.has(id) !== true;
	const title = isQuiet ? "Pings nobody" : null;
	return h("span.mention", { "data-quiet": isQuiet, title }, mentionText(kind, id, names));
}

/**
 * @param {"user" | "role" | "channel"} kind
 * @param {string} id
 * @param {MentionNames} names
 */
function mentionText(kind, id, names) {
	if (kind === "channel") return `#${names.channels.find((channel) => channel.id === id)?.name ?? "unknown"}`;
	if (kind === "role") return `@${names.roles.find((role) => role.id === id)?.name ?? "unknown role"}`;
	const member = names.members.find((candidate) => candidate.user.id === id);
	return `@${member ? memberName(member) : "unknown"}`;
}

/**
 * In the language of who reads it, as the sentence around it is.
 *
 * @param {number} seconds
 * @param {string} style
 * @param {string} locale
 */
function timestampView(seconds, style, locale) {
	const reader = { nowMs: Date.now(), locale };
	return h(
		"time.timestamp",
		{
			datetime: new Date(seconds * 1000).toISOString(),
			lang: locale,
			title: timestampText(seconds, "F", reader),
			"data-relative": style === "R" ? seconds : null,
		},
		timestampText(seconds, style, reader),
	);
}

/** Brings every "in 5 minutes" on the page up to date. @param {ParentNode} root */
export function refreshRelativeTimes(root) {
	for (const element of root.querySelectorAll("time[data-relative]")) {
		const reader = { nowMs: Date.now(), locale: element.getAttribute("lang") ?? undefined };
		const text = relativeText(Number(element.getAttribute("data-relative")) * 1000, reader);
		if (element.textContent !== text) element.textContent = text;
	}
}
