import type { MessageRef } from "../../i18n/messages.ts";

/** One file of a result, kept on disk until it was seen and for some time after. */
export interface MediaFile {
	/** What people see it called, with the right ending: `atelier-4711.png`. */
	readonly name: string;
	readonly contentType: string;
	readonly sizeBytes: number;
	/** Of a picture, as it is shown. */
	readonly pixels?: number;
	/** What was done to it so that it fits, where a person should know. */
	readonly note?: MessageRef;
}

/** What is in a file, read when it is wanted. */
export interface FileContent {
	readonly sizeBytes: number;
	/** Fills `target`, which has exactly that size; throws where the file is not as large any more. */
	readInto(target: Uint8Array): Promise<void>;
}
