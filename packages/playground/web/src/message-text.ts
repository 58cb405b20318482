/** The plain text of a message: for screen readers, and for the line that quotes it. */
import type { APIComponentInContainer, APIEmbed, APIMessage, APIMessageTopLevelComponent } from "discord-api-types/v10";
import type { PageMember } from "./contract.ts";
import { COMPONENT, MESSAGE_FLAG } from "./discord-constants.ts";
import { memberName } from "./display-names.ts";
import { type Block, type Inline, parseMarkdown } from "./markdown.ts";
import { timestampText } from "./time.ts";

/** Content, poll, embeds, components, then the names of files, without spoilers. Empty for a message of buttons only. */
export function plainText(message: APIMessage, members: readonly PageMember[]): string {
	const { content, poll, embeds, attachments, components = [] } = message;
	const markdown = [
		content,
		poll?.question.text ?? "",
		...embeds.filter((embed) => !isPollResult(embed)).map(({ title, description }) => title ?? description ?? ""),
		...components.flatMap(textsOf),
	];
	const files = attachments.map(({ description, filename }) => description ?? filename);
	const blocks = markdown.flatMap(parseMarkdown);
	const results = embeds.filter(isPollResult).map(pollResultText);
	return [...blocks.map((block) => blockText(block, members)), ...results, ...files].join(" ").replaceAll(/\s+/g, " ");
}

export function isPollResult({ type }: APIEmbed): boolean {
	return String(type) === "poll_result";
}

/** The outcome of a poll, from the fields of its embed. */
export function pollResultText({ fields = [] }: APIEmbed): string {
	const valueOf = (field: string): string => fields.find(({ name }) => name === field)?.value ?? "";
	const [winner, total] = [valueOf("victor_answer_text"), valueOf("total_votes")];
	const outcome =
		winner === ""
			? `No answer won, with ${total} votes.`
			: `${winner} won with ${valueOf("victor_answer_votes")} of ${total} votes.`;
	return `The poll “${valueOf("poll_question_text")}” has ended. ${outcome}`;
}

function textsOf(component: APIMessageTopLevelComponent | APIComponentInContainer): readonly string[] {
	switch (component.type) {
		case COMPONENT.text:
			return [component.content];
		case COMPONENT.section:
			return component.components.map(({ content }) => content);
		case COMPONENT.container:
			return component.components.flatMap(textsOf);
		default:
			return [];
	}
}

function blockText(block: Block, members: readonly PageMember[]): string {
	const text = (blocks: readonly Block[]): string => blocks.map((one) => blockText(one, members)).join(" ");
	switch (block.type) {
		case "codeBlock":
			return block.text;
		case "list":
			return block.items.map(text).join(" ");
		case "quote":
			return text(block.children);
		default:
			return inlineText(block.children, members);
	}
}

function inlineText(nodes: readonly Inline[], members: readonly PageMember[]): string {
	return nodes
		.map((node): string => {
			switch (node.type) {
				case "text":
				case "code":
					return node.text;
				case "spoiler":
					return "(spoiler)";
				case "emoji":
					return `:${node.name}:`;
				case "command":
					return `/${node.name}`;
				case "mention": {
					if (node.kind === "everyone") return `@${node.id}`;
					const member = members.find(({ user }) => user.id === node.id);
					return `@${member ? memberName(member) : node.kind}`;
				}
				case "timestamp":
					return timestampText(node.seconds, node.style, { nowMs: Date.now() });
				default:
					return inlineText(node.children, members);
			}
		})
		.join("");
}

export function hasFlag({ flags }: Pick<APIMessage, "flags">, flag: number): boolean {
	return ((flags ?? 0) & flag) !== 0;
}

export function isThinking(message: APIMessage): boolean {
	return hasFlag(message, MESSAGE_FLAG.loading);
}
