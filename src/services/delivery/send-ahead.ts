import { fileTypeFromBuffer } from "file-type";
import { endingOf } from "./fit/shown-types.ts";
import type { Upload } from "./messenger.ts";

/** What tells the types of files apart stands in here. */
const HEAD_BYTES = 4100;

interface Promising {
	readonly contentType: string;
	readonly ending: string;
}

/**
 * Passes a file on while it comes, and sends it where `begin` opens a way, once its first bytes promise that it will be shown
 * as it is. That is a guess: what it is in the end, its whole content decides, and what was sent by then is shown or dropped.
 */
export async function* sendAhead(
	content: AsyncIterable<Uint8Array>,
	begin: (file: Promising) => Upload | undefined,
): AsyncGenerator<Uint8Array> {
	let head: Uint8Array[] | undefined = [];
	let headBytes = 0;
	let upload: Upload | undefined;
	let isWhole = false;
	const decide = async (chunks: readonly Uint8Array[]): Promise<void> => {
		head = undefined;
		const found = await promiseOf(Buffer.concat(chunks));
		upload = found && begin(found);
		for (const chunk of chunks) upload?.write(chunk);
	};
	try {
		for await (const chunk of content) {
			upload?.write(chunk);
			head?.push(chunk);
			headBytes += chunk.byteLength;
			if (head && headBytes >= HEAD_BYTES) await decide(head);
			yield chunk;
		}
		if (head) await decide(head);
		isWhole = true;
	} finally {
		if (!isWhole) upload?.drop();
	}
}

async function promiseOf(head: Buffer): Promise<Promising | undefined> {
	const contentType = (await fileTypeFromBuffer(head))?.mime;
	const ending = contentType && endingOf(contentType);
	if (!contentType || !ending || (ending === "mp4" && !beginsWithIndex(head))) return undefined;
	return { contentType, ending };
}

/** Other films are written anew, whatever is in them. */
function beginsWithIndex(head: Buffer): boolean {
	const at = head.readUInt32BE(0);
	return head.toString("latin1", at + 4, at + 8) === "moov";
}
