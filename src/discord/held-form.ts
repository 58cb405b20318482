import { setImmediate as nextTurn } from "node:timers/promises";
import { formOf, type FormFile } from "./file-form.ts";

/** The words beside a file, their buttons and what surrounds them; a task's come to two thirds of it at most. */
const END_BYTES = 16 * 1024;

/** A form with one file, sent while the file still comes, and held back before its end. Its length is said beforehand. */
export interface HeldForm {
	readonly headers: Readonly<Record<string, string>>;
	/** Can be read once. */
	readonly body: AsyncIterable<Uint8Array>;
	write(bytes: Uint8Array): void;
	/** Lets the end go. False where it is longer than was said, or not all of the file has come. */
	end(payload: object): boolean;
	/** Forgets what was not sent; whoever reads it is left without its end. */
	drop(): void;
}

interface ComingFile extends FormFile {
	readonly sizeBytes: number;
}

export function createHeldForm(file: ComingFile): HeldForm {
	const form = formOf([file]);
	const head = form.head(0);
	let waiting: Uint8Array[] = [head];
	let missingBytes = file.sizeBytes;
	let isOver = false;
	let isRead = false;
	let wake: (() => void) | undefined;

	function push(bytes: Uint8Array): void {
		waiting.push(bytes);
		wake?.();
	}

	async function* read(): AsyncGenerator<Uint8Array> {
		// A client that wants to send it once more has none of it left.
		if (isRead) throw new Error("the form was sent before");
		isRead = true;
		for (;;) {
			const next = waiting;
			waiting = [];
			for (const bytes of next) {
				yield bytes;
				// The disk and the line that the file comes from are heard before the next piece goes.
				await nextTurn();
			}
			if (waiting.length > 0) continue;
			if (isOver) return;
			await new Promise<void>((resolve) => (wake = resolve));
		}
	}

	return {
		headers: { ...form.headers, "content-length": String(head.byteLength + file.sizeBytes + END_BYTES) },
		body: { [Symbol.asyncIterator]: read },
		write(bytes) {
			if (isOver) return;
			missingBytes -= bytes.byteLength;
			push(bytes);
		},
		end(payload) {
			const end = form.end(payload, END_BYTES);
			if (isOver || missingBytes !== 0 || end.byteLength !== END_BYTES) return false;
			isOver = true;
			push(end);
			return true;
		},
		drop() {
			isOver = true;
			waiting = [];
			wake?.();
		},
	};
}
