/** The message with a result. `unknown`: it could not be read, or the viewer may not read it. */
export type ResultMessage =
	| {
			readonly kind: "found";
			readonly imageUrl: string | undefined;
			/** The URL of the first image, video or audio file; an image may be scaled. It expires within a day. */
			readonly previewUrl: string | undefined;
	  }
	| { readonly kind: "gone" }
	| { readonly kind: "unknown" };

/** Reads and deletes messages of the bot. */
export interface ResultMessages {
	read(channelId: string, messageId: string): Promise<ResultMessage>;
	/** Resolves to `false` without permission; a missing message counts as deleted. */
	delete(channelId: string, messageId: string): Promise<boolean>;
}
