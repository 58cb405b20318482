import type { Provenance } from "@atelier/media-files/mark-file";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";

/** One file of a result. Its content is in the result store until some days after the delivery. */
export interface MediaFile {
	/** The file name in Discord: `atelier-4711.png`. */
	readonly name: string;
	readonly contentType: string;
	readonly sizeBytes: number;
	/** The displayed size of an image, in pixels. */
	readonly pixels?: number;
	/** The mark that says where the file comes from; absent if marks are off, and in older tasks. */
	readonly provenance?: Provenance;
	/** True if the file exceeds Discord's limit and this machine could not transcode it: it is stored, and never uploaded. */
	readonly isNotConverted?: true;
	/** A note for the member about the changes that made the file fit. */
	readonly note?: MessageDescriptor;
}

/** The content of a file, read on demand. */
export interface FileContent {
	readonly sizeBytes: number;
	/** Fills `target`, which has exactly that size. Throws if the file has shrunk. */
	readInto(target: Uint8Array): Promise<void>;
}
