import type { Logger } from "pino";
import { t } from "../../i18n/messages.ts";
import { quotePrompt } from "../../i18n/quote.ts";
import type { FilePoster } from "../delivery/file-poster.ts";
import type { ResultStore } from "../delivery/result-store.ts";
import { storedFiles } from "../delivery/stored-files.ts";
import type { GuildLanguages } from "../settings/guild-languages.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import type { ChannelVisibility } from "./channel-visibility.ts";
import type { GalleryStore } from "./gallery-store.ts";
import type { ResultMessages } from "./result-messages.ts";
import type { TaskStore } from "../tasks/task-store.ts";
import { isDeliveredResult, isPublicResult, messageLinkOf, type DeliveredResult } from "../tasks/delivered-result.ts";

export type Showcase = ReturnType<typeof createShowcase>;

interface ShowcaseDeps {
	readonly taskStore: Pick<TaskStore, "load">;
	readonly galleryStore: GalleryStore;
	readonly results: Pick<ResultStore, "open">;
	readonly channelVisibility: Pick<ChannelVisibility, "mayRepost">;
	readonly filePoster: FilePoster;
	readonly resultMessages: Pick<ResultMessages, "delete">;
	readonly settings: Pick<SettingsStore, "read">;
	readonly languages: Pick<GuildLanguages, "localeOf">;
}

/** Posts results with enough stars in the channel that the admins chose. A star is a favorite of a member other than the author. */
export function createShowcase(deps: ShowcaseDeps) {
	const { taskStore, galleryStore, results, channelVisibility, filePoster, resultMessages, settings, languages } = deps;

	/** Counts the favorites of members other than the author, up to `starsMax`. */
	async function starsOf({ id, userId }: DeliveredResult, starsMax: number): Promise<number> {
		let stars = 0;
		for await (const memberId of galleryStore.favoritedBy(id)) {
			if (memberId !== userId) stars++;
			if (stars === starsMax) break;
		}
		return stars;
	}

	async function isPublic(taskId: string): Promise<boolean> {
		const current = (await taskStore.load(taskId))?.task;
		return current !== undefined && isDeliveredResult(current) && isPublicResult(current);
	}

	return {
		/** Posts the result if it has enough stars and its files are still stored, at most once. */
		async postIfPopular(task: DeliveredResult, logger: Logger): Promise<void> {
			const { id, guildId, userId, request, reply, outcome: taskOutcome } = task;
			const guildSettings = await settings.read(guildId);
			const { channelId, stars } = guildSettings.showcase;
			if (channelId === null || !isPublicResult(task) || (await galleryStore.showcasePost(id))) return;
			if ((await starsOf(task, stars)) < stars) return;
			if (!(await channelVisibility.mayRepost(guildId, reply.channelId, channelId))) return;
			// Files are uploaded again, because links to those of the original message expire.
			const { files: resultFiles } = taskOutcome;
			const { isSpoiler } = task.presentation;
			const files = await storedFiles(results, { taskId: id, prompt: request.prompt, files: resultFiles, isSpoiler });
			const prompt = quotePrompt(request.prompt);
			const text = t(await languages.localeOf(guildId, guildSettings), {
				key: "showcase.post",
				params: { prompt, userId, link: messageLinkOf(task) },
			});
			const claim = files.length < resultFiles.length ? undefined : await galleryStore.claimShowcase(id);
			if (!claim) return;
			// Read after the claim: a deletion that comes later finds the claim, and ends it.
			const isStillPublic = await isPublic(id).catch(async (error: unknown) => {
				await claim.release();
				throw error;
			});
			if (!isStillPublic) {
				await claim.release();
				return;
			}
			const outcome = await filePoster.post(channelId, { key: `showcase:${id}`, text, files });
			switch (outcome.kind) {
				case "posted": {
					const { messageId } = outcome;
					if (await claim.recordPost({ channelId, messageId })) {
						logger.info({ taskId: id }, "result posted in the showcase");
						return;
					}
					// The result was deleted during the post.
					await resultMessages.delete(channelId, messageId);
					return;
				}
				case "rejected":
					await claim.release();
					logger.warn({ taskId: id, channelId }, "showcase channel not writable");
					return;
				case "unknown":
					// The post may have arrived, so the claim stays: no result is posted twice.
					logger.warn({ taskId: id, channelId, err: outcome.error }, "outcome of the showcase post unknown");
			}
		},
	};
}
