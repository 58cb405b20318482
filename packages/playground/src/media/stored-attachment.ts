/** A file as it was uploaded. Addresses are added when it is shown: the playground's own may change between two starts. */
export interface StoredAttachment {
	readonly id: string;
	readonly filename: string;
	readonly contentType: string;
	readonly sizeBytes: number;
	/** The content's hash, which is also its name in the media store; nothing that people type is. */
	readonly hash: string;
	readonly description: string | null;
	readonly title: string | null;
	readonly isSpoiler: boolean;
	readonly width: number | null;
	readonly height: number | null;
}
