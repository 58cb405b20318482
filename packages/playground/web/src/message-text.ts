/** Parts of a message as plain text: for the line that quotes it, and for the name of its thread. */
import type { APIEmbed, APIMessage } from "discord-api-types/v10";
import { MESSAGE_FLAG } from "./discord-constants.ts";
import { memberName, userName } from "./display-names.ts";
import { type Block, type Inline, type MentionKind, parseMarkdown } from "./markdown.ts";
import type { Directory } from "./select-choices.ts";
import { type TimeFormat, timestampText } from "./time.ts";

/** The content without markup and spoilers, in one line. */
export function plainText(
	{ content }: Pick<APIMessage, "content">,
	directory: Directory,
	timeFormat: TimeFormat,
): string {
	const texts = parseMarkdown(content).map((block) => nodeText(block, directory, timeFormat));
	return texts.join(" ").replaceAll(/\s+/g, " ");
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

function nodeText(node: Block | Inline, directory: Directory, timeFormat: TimeFormat): string {
	switch (node.type) {
		case "text":
		case "code":
		case "codeBlock":
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
			return timestampText(node.seconds, node.style, timeFormat);
		case "list":
			return node.items
				.map((blocks) => blocks.map((block) => nodeText(block, directory, timeFormat)).join(" "))
				.join(" ");
		default:
			return node.children
				.map((child) => nodeText(child, directory, timeFormat))
				.join(node.type === "quote" ? " " : "");
	}
}

export function mentionText(kind: MentionKind, id: string, directory: Directory): string {
	const { members, bot, channels, roles, users = [] } = directory;
	if (kind === "channel") return `#${channels.find((channel) => channel.id === id)?.name ?? "unknown"}`;
	if (kind === "role") return `@${roles.find((role) => role.id === id)?.name ?? "unknown role"}`;
	if (kind === "everyone") return `@${id}`;
	if (id === bot?.user.id) return `@${userName(bot.user)}`;
	const member = members.find(({ user }) => user.id === id);
	const user = users.find((each) => each.user.id === id)?.user;
	return `@${member ? memberName(member) : user ? userName(user) : "unknown"}`;
}

export function hasFlag({ flags }: Pick<APIMessage, "flags">, flag: number): boolean {
	return ((flags ?? 0) & flag) !== 0;
}

export function isThinking(message: APIMessage): boolean {
	return hasFlag(message, MESSAGE_FLAG.loading);
}
