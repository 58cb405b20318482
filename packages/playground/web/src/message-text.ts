/** The plain text of a message: for screen readers, and for the line that quotes it. */
import type { APIComponentInContainer, APIEmbed, APIMessage, APIMessageTopLevelComponent } from "discord-api-types/v10";
import { COMPONENT, MESSAGE_FLAG } from "./discord-constants.ts";
import { memberName, userName } from "./display-names.ts";
import { type Block, type Inline, type MentionKind, parseMarkdown } from "./markdown.ts";
import type { Directory } from "./select-choices.ts";
import { timestampText } from "./time.ts";

/** Content, poll, embeds, components, then the names of files, without spoilers. Empty for a message of buttons only. */
export function plainText(message: APIMessage, directory: Directory): string {
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
	return [...blocks.map((block) => blockText(block, directory)), ...results, ...files]
		.join(" ")
		.replaceAll(/\s+/g, " ");
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

function blockText(block: Block, directory: Directory): string {
	const text = (blocks: readonly Block[]): string => blocks.map((one) => blockText(one, directory)).join(" ");
	switch (block.type) {
		case "codeBlock":
			return block.text;
		case "list":
			return block.items.map(text).join(" ");
		case "quote":
			return text(block.children);
		default:
			return inlineText(block.children, directory);
	}
}

function inlineText(nodes: readonly Inline[], directory: Directory): string {
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
				case "mention":
					return mentionText(node.kind, node.id, directory);
				case "timestamp":
					return timestampText(node.seconds, node.style, { nowMs: Date.now() });
				default:
					return inlineText(node.children, directory);
			}
		})
		.join("");
}

export function mentionText(kind: MentionKind, id: string, { members, bot, channels, roles }: Directory): string {
	if (kind === "channel") return `#${channels.find((channel) => channel.id === id)?.name ?? "unknown"}`;
	if (kind === "role") return `@${roles.find((role) => role.id === id)?.name ?? "unknown role"}`;
	if (kind === "everyone") return `@${id}`;
	if (id === bot?.user.id) return `@${userName(bot.user)}`;
	const member = members.find(({ user }) => user.id === id);
	return `@${member ? memberName(member) : "unknown"}`;
}

export function hasFlag({ flags }: Pick<APIMessage, "flags">, flag: number): boolean {
	return ((flags ?? 0) & flag) !== 0;
}

export function isThinking(message: APIMessage): boolean {
	return hasFlag(message, MESSAGE_FLAG.loading);
}
