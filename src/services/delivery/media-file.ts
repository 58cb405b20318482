import type { Provenance } from "./provenance/mark-edits.ts";
import type { MessageRef } from "../../i18n/message-ref.ts";

/** One file of a result, stored until it was delivered and for some time after. */
export interface MediaFile {
	/** The file name in Discord: `atelier-4711.png`. */
	readonly name: string;
	readonly contentType: string;
	readonly sizeBytes: number;
	/** The displayed size of an image, in pixels. */
	readonly pixels?: number;
	/** The mark that says where the file comes from; absent if marks are off, and in older tasks. */
	readonly provenance?: Provenance;
	/** True if the file is larger than Discord's limit and could not be converted here: it is stored, and never uploaded. */
	readonly isNotConverted?: true;
	/** The note about changes that made it fit, if the member should know. */
	readonly note?: MessageRef;
}

/** The content of a file, read on demand. */
export interface FileContent {
	readonly sizeBytes: number;
	/** Fills `target`, which has exactly that size. Throws if the file has shrunk. */
	readInto(target: Uint8Array): Promise<void>;
}
