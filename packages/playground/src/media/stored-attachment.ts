/** An uploaded file. Its URL is added when it is shown, because the playground's origin may change between starts. */
export interface StoredAttachment {
	readonly id: string;
	readonly filename: string;
	readonly contentType: string;
	readonly sizeBytes: number;
	/** The content hash, which is its name in the media store. */
	readonly hash: string;
	readonly description: string | null;
	readonly title: string | null;
	readonly isSpoiler: boolean;
	readonly width: number | null;
	readonly height: number | null;
}
