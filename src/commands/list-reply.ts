import { AttachmentBuilder } from "discord.js";

/** A message has 2,000 characters; the rest is for its first and last line. */
const LINES_CHARS_MAX = 1_700;

/** Returns a heading and as many lines as fit into a message. Attaches all of them as a file if some do not fit. */
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
