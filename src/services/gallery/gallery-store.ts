import type { Member } from "../access/member.ts";
import { z } from "zod";
import { retryChange } from "@atelier/store/retry-change";
import type { DocumentWrite, Store } from "@atelier/store/store";
import { readDocument, scanDocuments } from "../read-document.ts";
import { newestFirst } from "../task-id.ts";

/** A public result that is listed in the gallery of its server. */
interface ListedResult {
	readonly taskId: string;
	readonly guildId: string;
	readonly channelId: string;
}

/** A message in the showcase. */
interface ShowcasePost {
	readonly channelId: string;
	readonly messageId: string;
}

export const FAVORITE_PREFIX = "favorite:";

const listedSchema = z.object({ taskId: z.string(), channelId: z.string() });
const favoriteSchema = z.object({ taskId: z.string() });
const showcaseClaimSchema = z.object({
	post: z.object({ channelId: z.string(), messageId: z.string() }).nullable(),
	/** Makes the text differ from the one that `recordPost` expects. */
	isEnded: z.literal(true).optional(),
});

export type GalleryStore = ReturnType<typeof createGalleryStore>;

/**
 * Stores the gallery of each server as documents `gallery:GUILD:…`, newest first, and favorites as pairs of documents:
 * `favorite:GUILD:USER:…` lists those of a member, `star:TASK:USER` those of a result. `showcase:TASK` marks a result that
 * was posted in the showcase.
 */
export function createGalleryStore(store: Store) {
	async function setFavorite(member: Member, taskId: string, isFavorite: boolean): Promise<void> {
		await store.compareAndSetAll(
			[],
			[
				{ key: starPrefix(taskId) + member.userId, value: isFavorite ? {} : undefined },
				{ key: favoriteKey(member, taskId), value: isFavorite ? { taskId } : undefined },
			],
		);
	}

	/** Yields the ids of the members whose favorites contain the result. */
	async function* favoritedBy(taskId: string): AsyncGenerator<string> {
		const prefix = starPrefix(taskId);
		for await (const { key } of store.scan(prefix, { onCorrupt: () => {} })) yield key.slice(prefix.length);
	}

	/** Yields the task ids of a member's favorites, newest task first. */
	async function* favoritesOf(member: Member): AsyncGenerator<string> {
		for await (const { value } of scanDocuments(store, favoritePrefix(member), favoriteSchema)) yield value.taskId;
	}

	return {
		/** Returns the document that lists a result in the gallery. The caller writes it together with the task. */
		listingOf: ({ guildId, taskId, channelId }: ListedResult): DocumentWrite => ({
			key: galleryKey(guildId, taskId),
			value: { taskId, channelId },
		}),
		async *listedResults(guildId: string): AsyncGenerator<ListedResult> {
			for await (const { value } of scanDocuments(store, `gallery:${guildId}:`, listedSchema))
				yield { ...value, guildId };
		},
		isFavorite: async (member: Member, taskId: string) => (await store.get(favoriteKey(member, taskId))) !== undefined,
		favoritesOf,
		setFavorite,
		favoritedBy,
		/** Claims the right to post a result in the showcase, once. Resolves to `undefined` if it was claimed before, even without a post. */
		async claimShowcase(taskId: string) {
			const key = showcaseKey(taskId);
			const raw = await store.compareAndSet(key, undefined, { post: null });
			if (raw === undefined) return undefined;
			return {
				/** Resolves to `false` if the result was removed meanwhile, with its claim. */
				recordPost: async (post: ShowcasePost) => (await store.compareAndSet(key, raw, { post })) !== undefined,
				release: () => store.delete(key),
			};
		},
		/** Resolves to the post of a result; `undefined` without one. */
		async showcasePost(taskId: string): Promise<ShowcasePost | undefined> {
			const { value: claim } = await readDocument(store, showcaseKey(taskId), showcaseClaimSchema);
			return claim?.post ?? undefined;
		},
		/**
		 * Ends the claim of a deleted result: a post in progress can no longer be recorded. Resolves to the recorded post; `undefined`
		 * without one.
		 */
		endShowcaseClaim: (taskId: string): Promise<ShowcasePost | undefined> =>
			retryChange(`the showcase post of task ${taskId}`, async () => {
				const key = showcaseKey(taskId);
				const { value: claim, raw } = await readDocument(store, key, showcaseClaimSchema);
				if (!claim || claim.post || claim.isEnded) return claim?.post ?? undefined;
				// A conflict shows that the post was recorded meanwhile.
				const written = await store.compareAndSet(key, raw, { post: null, isEnded: true });
				return written === undefined ? "conflict" : undefined;
			}),
		/** Removes a result from the gallery, the showcase and all favorites. */
		async removeResult(guildId: string, taskId: string): Promise<void> {
			for await (const userId of favoritedBy(taskId)) await setFavorite({ guildId, userId }, taskId, false);
			await store.delete(showcaseKey(taskId));
			await store.delete(galleryKey(guildId, taskId));
		},
		async removeFavoritesOf(member: Member): Promise<void> {
			for await (const taskId of favoritesOf(member)) await setFavorite(member, taskId, false);
		},
	};
}

function galleryKey(guildId: string, taskId: string): string {
	return `gallery:${guildId}:${newestFirst(taskId)}`;
}

function favoritePrefix({ guildId, userId }: Member): string {
	return `${FAVORITE_PREFIX}${guildId}:${userId}:`;
}

function favoriteKey(member: Member, taskId: string): string {
	return favoritePrefix(member) + newestFirst(taskId);
}

function starPrefix(taskId: string): string {
	return `star:${taskId}:`;
}

function showcaseKey(taskId: string): string {
	return `showcase:${taskId}`;
}
