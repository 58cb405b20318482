import { AttachmentBuilder } from "discord.js";

/** A message has at most 2,000 characters; these leave space for the first and the last line. */
const LINES_CHARS_MAX = 1_700;

/** Returns a heading and as many lines as fit into a message. Attaches all of them as a file if some do not fit. */
export function listReply(
	head: string,
	lines: readonly string[],
	overflow: { readonly foot: string; readonly fileName: string; readonly fileLines: readonly string[] },
) {
	const shown: string[] = [];
	let chars = head.length;
	for (const line of lines) {
		chars += line.length + 1;
		if (chars > LINES_CHARS_MAX) break;
		shown.push(line);
	}
	if (shown.length === lines.length) return { content: [head, ...shown].join("\n") };
	const file = new AttachmentBuilder(Buffer.from(`${overflow.fileLines.join("\n")}\n`), { name: overflow.fileName });
	return { content: [head, ...shown, overflow.foot].join("\n"), files: [file] };
}
