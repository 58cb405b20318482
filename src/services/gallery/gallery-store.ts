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

/** The right to post a result in the showcase. */
interface ShowcaseClaim {
	/** Resolves to `false` if the result was removed meanwhile, with its claim. */
	recordPost(post: ShowcasePost): Promise<boolean>;
	release(): Promise<void>;
}

/**
 * Stores the gallery of each server as documents `gallery:GUILD:…`, newest first, and favorites as pairs of documents:
 * `favorite:GUILD:USER:…` lists those of a member, `star:TASK:USER` those of a result. `showcase:TASK` marks a result that
 * was posted in the showcase.
 */
export interface GalleryStore {
	/** Returns the document that lists a result in the gallery. The caller writes it together with the task. */
	listingOf(result: ListedResult): DocumentWrite;
	listedResults(guildId: string): AsyncIterable<ListedResult>;
	isFavorite(member: Member, taskId: string): Promise<boolean>;
	/** Yields the task ids of a member's favorites, newest task first. */
	favoritesOf(member: Member): AsyncIterable<string>;
	setFavorite(member: Member, taskId: string, isFavorite: boolean): Promise<void>;
	/** Yields the ids of the members whose favorites contain the result. */
	favoritedBy(taskId: string): AsyncIterable<string>;
	/** Claims the right to post a result in the showcase, once. Resolves to `undefined` if it was claimed before, even without a post. */
	claimShowcase(taskId: string): Promise<ShowcaseClaim | undefined>;
	/** Resolves to the post of a result; `undefined` without one. */
	showcasePost(taskId: string): Promise<ShowcasePost | undefined>;
	/**
	 * Ends the claim of a deleted result: a post in progress can no longer be recorded. Resolves to the recorded post; `undefined`
	 * without one.
	 */
	endShowcaseClaim(taskId: string): Promise<ShowcasePost | undefined>;
	/** Removes a result from the gallery, the showcase and all favorites. */
	removeResult(guildId: string, taskId: string): Promise<void>;
	removeFavoritesOf(member: Member): Promise<void>;
}

const listedSchema = z.object({ taskId: z.string(), channelId: z.string() });
const favoriteSchema = z.object({ taskId: z.string() });
const showcaseClaimSchema = z.object({
	post: z.object({ channelId: z.string(), messageId: z.string() }).nullable(),
	/** Makes the text differ from the one that `recordPost` expects. */
	isEnded: z.literal(true).optional(),
});

export function createGalleryStore(store: Store): GalleryStore {
	const setFavorite: GalleryStore["setFavorite"] = async (member, taskId, isFavorite) => {
		await store.compareAndSetAll(
			[],
			[
				{ key: starPrefix(taskId) + member.userId, value: isFavorite ? {} : undefined },
				{ key: favoriteKey(member, taskId), value: isFavorite ? { taskId } : undefined },
			],
		);
	};

	async function* favoritedBy(taskId: string): AsyncGenerator<string> {
		const prefix = starPrefix(taskId);
		for await (const { key } of store.scan(prefix, { onCorrupt: () => {} })) yield key.slice(prefix.length);
	}

	async function* favoritesOf(member: Member): AsyncGenerator<string> {
		for await (const { value } of scanDocuments(store, favoritePrefix(member), favoriteSchema)) yield value.taskId;
	}

	return {
		listingOf: ({ guildId, taskId, channelId }) => ({
			key: galleryKey(guildId, taskId),
			value: { taskId, channelId },
		}),
		async *listedResults(guildId) {
			for await (const { value } of scanDocuments(store, `gallery:${guildId}:`, listedSchema))
				yield { ...value, guildId };
		},
		isFavorite: async (member, taskId) => (await store.get(favoriteKey(member, taskId))) !== undefined,
		favoritesOf,
		setFavorite,
		favoritedBy,
		async claimShowcase(taskId) {
			const key = showcaseKey(taskId);
			const raw = await store.compareAndSet(key, undefined, { post: null });
			if (raw === undefined) return undefined;
			return {
				recordPost: async (post) => (await store.compareAndSet(key, raw, { post })) !== undefined,
				release: () => store.delete(key),
			};
		},
		async showcasePost(taskId) {
			const { value: claim } = await readDocument(store, showcaseKey(taskId), showcaseClaimSchema);
			return claim?.post ?? undefined;
		},
		endShowcaseClaim: (taskId) =>
			retryChange(`the showcase post of task ${taskId}`, async () => {
				const key = showcaseKey(taskId);
				const { value: claim, raw } = await readDocument(store, key, showcaseClaimSchema);
				if (!claim || claim.post || claim.isEnded) return claim?.post ?? undefined;
				// A conflict shows that the post was recorded meanwhile.
				const written = await store.compareAndSet(key, raw, { post: null, isEnded: true });
				return written === undefined ? "conflict" : undefined;
			}),
		async removeResult(guildId, taskId) {
			for await (const userId of favoritedBy(taskId)) await setFavorite({ guildId, userId }, taskId, false);
			await store.delete(showcaseKey(taskId));
			await store.delete(galleryKey(guildId, taskId));
		},
		async removeFavoritesOf(member) {
			for await (const taskId of favoritesOf(member)) await setFavorite(member, taskId, false);
		},
	};
}

function galleryKey(guildId: string, taskId: string): string {
	return `gallery:${guildId}:${newestFirst(taskId)}`;
}

function favoritePrefix({ guildId, userId }: Member): string {
	return `favorite:${guildId}:${userId}:`;
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
