import { AttachmentBuilder } from "discord.js";

/** Of the 2,000 characters of a message, what is left beside its head and foot. */
const LINES_CHARS_MAX = 1_700;

/** A head and as many lines as a message has room for; where there are more, all of them in a file. */
export function listReply(
	head: string,
	lines: readonly string[],
	rest: { readonly foot: string; readonly fileName: string; readonly fileLines: readonly string[] },
) {
	let chars = head.length;
	const shown = lines.filter((line) => (chars += line.length + 1) <= LINES_CHARS_MAX);
	if (shown.length === lines.length) return { content: [head, ...shown].join("\n") };
	const file = new AttachmentBuilder(Buffer.from(`${rest.fileLines.join("\n")}\n`), { name: rest.fileName });
	return { content: [head, ...shown, rest.foot].join("\n"), files: [file] };
}
