import type { ImageSize } from "@atelier/common/image-size";
import type { Provenance } from "@atelier/media-files/mark-file";
import type { TranscodeChange } from "@atelier/media-files/transcoder";

/** One file of a result. Its content is in the result store until some days after the delivery. */
export interface MediaFile {
	/** The file name in Discord: `atelier-1430000000000000000.png`. */
	readonly name: string;
	readonly contentType: string;
	readonly sizeBytes: number;
	/** The size of an image, in pixels. */
	readonly imageSize?: ImageSize;
	/** The mark that says where the file comes from; absent if marks are off, and in older tasks. */
	readonly provenance?: Provenance;
	/** True if the file exceeds Discord's limit and this machine could not transcode it: it is stored, and never uploaded. */
	readonly isNotConverted?: true;
	/** Absent if the member notices no change. */
	readonly note?: FileNote;
}

/** The difference between a file and the output of the service. */
export type FileNote =
	/** A part or a smaller copy of the file, which is stored in full size. */
	| { readonly kind: "preview"; readonly changes: readonly TranscodeChange[]; readonly fullSizeMiB: number }
	/** Changed so that it fits. */
	| { readonly kind: "fitted"; readonly changes: readonly TranscodeChange[] }
	/** Not changed: this machine could not transcode it, and Discord may not play it. */
	| { readonly kind: "original" };

/** The content of a file, read on demand. */
export interface FileContent {
	readonly sizeBytes: number;
	/** Fills `target`, which has exactly that size. Throws if the file has shrunk. */
	readInto(target: Uint8Array): Promise<void>;
}
