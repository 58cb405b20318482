/** Attaches the stored files of a result to a message. */
import { plainLine } from "../../i18n/quote.ts";
import type { MediaFile } from "./media-file.ts";
import type { ReplyFile } from "./final-reply.ts";
import type { ResultStore } from "./result-store.ts";

/** Discord's maximum is 1,024, which is too long for a screen reader. */
const DESCRIPTION_CHARS_MAX = 500;

interface StoredResult {
	readonly taskId: string;
	readonly prompt: string;
	readonly files: readonly Pick<MediaFile, "name" | "contentType">[];
	readonly isSpoiler: boolean;
}

/** Resolves to the files with their alt texts, without those that are no longer stored. They are read when they are sent. */
export async function storedFiles(
	results: Pick<ResultStore, "open">,
	{ taskId, prompt, files, isSpoiler }: StoredResult,
): Promise<readonly ReplyFile[]> {
	const found = await Promise.all(
		files.map(async ({ name, contentType }, index) => {
			const content = await results.open(taskId, index);
			return content
				? [{ name, contentType, description: altText(prompt, fileNumber(index, files)), content, isSpoiler }]
				: [];
		}),
	);
	return found.flat();
}

/** Returns the prompt as alt text. `number`: the number of an image among several, as on its button. */
export function altText(prompt: string, number: number | undefined): string {
	const description = plainLine(prompt, DESCRIPTION_CHARS_MAX);
	return number === undefined ? description : `${number}. ${description}`;
}

/** Returns the number of a file, from 1; `undefined` for the only file of a result. */
export function fileNumber(index: number, files: readonly unknown[]): number | undefined {
	return files.length > 1 ? index + 1 : undefined;
}
