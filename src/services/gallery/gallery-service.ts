import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createBackgroundWork } from "../background-work.ts";
import type { Task } from "../tasks/task.ts";
import { loadReadableTask, type TaskStore } from "../tasks/task-store.ts";
import { DirectoryUnavailableError } from "../access/guild-directory.ts";
import type { GalleryViewer, Viewer } from "../access/member.ts";
import type { ResultAccess } from "./result-access.ts";
import type { ChannelVisibility } from "./channel-visibility.ts";
import type { GalleryStore } from "./gallery-store.ts";
import type { ResultDeletion } from "./result-deletion.ts";
import type { ResultMessage, ResultMessages } from "./result-messages.ts";
import {
	isDeliveredResult,
	isPublicResult,
	messageIdOf,
	publicMessageIdOf,
	type DeliveredResult,
} from "../tasks/delivered-result.ts";
import type { Showcase } from "./showcase.ts";

/** The lists of the gallery: the viewer's own results, those of the server, and the viewer's favorites. */
export const GALLERY_KINDS = ["mine", "server", "favorites"] as const;
export type GalleryKind = (typeof GALLERY_KINDS)[number];

/** A result takes eight components and a separator. With the heading and the buttons, four fill Discord's maximum of 40. */
const RESULTS_PER_PAGE = 4;
/** A page reads all results before it, so this bounds its work to 1,000 results that the viewer may see. */
const PAGES_MAX = 250;

export interface GalleryItem {
	readonly task: DeliveredResult;
	readonly isFavorite: boolean;
	/** True if the viewer can open the message with the result. */
	readonly isInChannel: boolean;
	/** `undefined` if the message shows no image, or the viewer cannot read it. */
	readonly imageUrl: string | undefined;
	/** True if the viewer may delete the message. */
	readonly isDeletable: boolean;
}

interface GalleryPage {
	readonly items: readonly GalleryItem[];
	readonly hasMore: boolean;
}

interface GalleryServiceDeps {
	readonly clock: Clock;
	readonly taskStore: Pick<TaskStore, "load" | "ofMember">;
	readonly galleryStore: GalleryStore;
	readonly resultAccess: ResultAccess;
	readonly channelVisibility: Pick<ChannelVisibility, "canRead">;
	readonly resultMessages: Pick<ResultMessages, "read">;
	readonly resultDeletion: Pick<ResultDeletion, "unlist">;
	readonly showcase: Showcase;
	readonly logger: Logger;
}

/** Shows results to the members who may see them, and stores their favorites. Throws a `UserError` as a denial. */
export function createGalleryService(deps: GalleryServiceDeps) {
	const {
		clock,
		taskStore,
		galleryStore,
		resultAccess,
		channelVisibility,
		resultMessages,
		resultDeletion,
		showcase,
		logger,
	} = deps;
	const background = createBackgroundWork({ clock });

	/** Resolves to `undefined` for a task that is missing, failed or unreadable: one unreadable task must not hide the others. */
	async function load(taskId: string): Promise<DeliveredResult | undefined> {
		const task = await loadReadableTask(taskStore, taskId);
		return task && isDeliveredResult(task) ? task : undefined;
	}

	async function* taskIdsOf({ guildId, userId }: Viewer, kind: GalleryKind): AsyncGenerator<string> {
		switch (kind) {
			case "mine":
				yield* taskStore.ofMember(guildId, userId);
				return;
			case "favorites":
				yield* galleryStore.favoritesOf({ guildId, userId });
				return;
			case "server":
				for await (const { taskId } of galleryStore.listedResults(guildId)) yield taskId;
		}
	}

	async function* visibleTasks(viewer: Viewer, kind: GalleryKind): AsyncGenerator<DeliveredResult> {
		for await (const taskId of taskIdsOf(viewer, kind)) {
			const task = await load(taskId);
			if (kind === "server" && task?.messageDeletedAtMs !== undefined) {
				// Still listed: the deletion was recorded, and failed then.
				background.add(unlistDeleted(task));
				continue;
			}
			if (!task || !(await resultAccess.maySee(viewer, task))) continue;
			// The list of the server leaves out the viewer's own results of channels that they cannot read.
			if (kind !== "server" || (await channelVisibility.canRead(viewer, task.reply.channelId))) yield task;
		}
	}

	/** Reads the message of a public result. Resolves to `unknown` if there is none, or the viewer may not read it. */
	async function readMessage(viewer: Viewer, task: DeliveredResult): Promise<ResultMessage> {
		const { channelId } = task.reply;
		const messageId = isPublicResult(task) ? messageIdOf(task) : undefined;
		if (messageId === undefined || !(await channelVisibility.canRead(viewer, channelId))) return { kind: "unknown" };
		return await resultMessages.read(channelId, messageId);
	}

	/** Resolves to `undefined` for a result whose message was deleted; members still find their own under "mine". */
	async function itemOf(
		viewer: GalleryViewer,
		kind: GalleryKind,
		task: DeliveredResult,
	): Promise<GalleryItem | undefined> {
		const { guildId, userId } = viewer;
		const isOwn = task.userId === userId;
		// If Discord rejected the files, only the member of the task can have them shown; others open the message.
		const hasMessage = isOwn ? isPublicResult(task) : publicMessageIdOf(task) !== undefined;
		const isReadable = hasMessage && (await channelVisibility.canRead(viewer, task.reply.channelId));
		const message = await readMessage(viewer, task);
		if (message.kind === "gone" && kind !== "mine") return undefined;
		const isInChannel = isReadable && message.kind !== "gone";
		return {
			task,
			isFavorite: await galleryStore.isFavorite({ guildId, userId }, task.id),
			isInChannel,
			imageUrl: message.kind === "found" ? message.imageUrl : undefined,
			isDeletable: isInChannel && (isOwn || viewer.isModerator),
		};
	}

	/** Unlists a result whose message was deleted in Discord. After a failure, the next view of the server's list repeats it. */
	async function unlistDeleted({ guildId, id: taskId }: DeliveredResult): Promise<void> {
		try {
			await resultDeletion.unlist(guildId, taskId, logger);
		} catch (error) {
			logger.warn({ err: error, taskId }, "result not removed from the gallery");
		}
	}

	/** The favorite is stored, whether or not the post succeeds. */
	async function postIfPopular(task: DeliveredResult, requestLogger: Logger): Promise<void> {
		try {
			await showcase.postIfPopular(task, requestLogger);
		} catch (error) {
			requestLogger.warn({ err: error, taskId: task.id }, "showcase not updated");
		}
	}

	return {
		/** Resolves to the URL of the result's image; `undefined` if there is none, the viewer may not see it, or Discord does not respond. */
		async imageOf(viewer: Viewer, task: Task): Promise<string | undefined> {
			if (!isDeliveredResult(task)) return undefined;
			const message = await readMessage(viewer, task).catch(unknownIfUnavailable);
			return message.kind === "found" ? message.imageUrl : undefined;
		},
		/**
		 * Resolves to the URL of the first file of a public result; `undefined` if its message shows none, or was deleted. Throws a
		 * `UserError` if the viewer may not see the result.
		 */
		async previewOf(viewer: Viewer, taskId: string): Promise<string | undefined> {
			const message = await readMessage(viewer, await resultAccess.requireVisibleResult(viewer, taskId));
			return message.kind === "found" ? message.previewUrl : undefined;
		},
		/** `page` starts at 0. */
		async page(viewer: GalleryViewer, kind: GalleryKind, page: number): Promise<GalleryPage> {
			let toSkip = Math.min(page, PAGES_MAX - 1) * RESULTS_PER_PAGE;
			const items: GalleryItem[] = [];
			for await (const task of visibleTasks(viewer, kind)) {
				if (items.length === RESULTS_PER_PAGE) return { items, hasMore: page < PAGES_MAX - 1 };
				if (toSkip > 0) {
					toSkip--;
					continue;
				}
				const item = await itemOf(viewer, kind, task);
				if (item) items.push(item);
				// The results of later pages move up by one.
				else background.add(unlistDeleted(task));
			}
			return { items, hasMore: false };
		},
		/** Adds the result to the favorites of the viewer, or removes it. Resolves to true if it is a favorite now. */
		async toggleFavorite(viewer: Viewer, taskId: string, requestLogger: Logger): Promise<boolean> {
			const task = await resultAccess.requireVisibleResult(viewer, taskId);
			const isFavorite = !(await galleryStore.isFavorite(viewer, taskId));
			await galleryStore.setFavorite(viewer, taskId, isFavorite);
			if (isFavorite) background.add(postIfPopular(task, requestLogger));
			return isFavorite;
		},
		/** Waits for posts in the showcase, and for results that are being unlisted. */
		stop: () => background.stop(),
	};
}

/** A list is shown without the images of messages that Discord does not give. */
function unknownIfUnavailable(error: unknown): ResultMessage {
	if (error instanceof DirectoryUnavailableError) return { kind: "unknown" };
	throw error;
}
