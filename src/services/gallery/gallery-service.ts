import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { UserError } from "../user-error.ts";
import { isTaskId, type Task } from "../tasks/task.ts";
import type { TaskStore } from "../tasks/task-store.ts";
import type { ChannelVisibility, Viewer } from "./channel-visibility.ts";
import type { GalleryStore } from "./gallery-store.ts";
import { hasSucceeded, isPublicResult, messageIdOf, type SucceededTask } from "./succeeded-task.ts";
import type { Showcase } from "./showcase.ts";

export const GALLERY_KINDS = ["mine", "server", "favorites"] as const;
export type GalleryKind = (typeof GALLERY_KINDS)[number];

/** A result takes eight components and a separator. With the heading and the buttons, four fill Discord's maximum of 40. */
const PAGE_RESULTS = 4;
const PAGES_MAX = 250;

/** Moderators may delete results of other members. */
export interface GalleryViewer extends Viewer {
	readonly isModerator: boolean;
}

export interface GalleryItem {
	readonly task: SucceededTask;
	readonly isFavorite: boolean;
	/** True if there is a message that the viewer can open. */
	readonly isInChannel: boolean;
	/** `undefined` if the message shows no image. */
	readonly imageUrl: string | undefined;
	readonly isDeletable: boolean;
}

interface GalleryPage {
	readonly items: readonly GalleryItem[];
	readonly hasMore: boolean;
}

/** The state of a message. `unknown`: it could not be read. */
export type ResultMessage =
	| {
			readonly kind: "found";
			readonly imageUrl: string | undefined;
			/** The first image, video or audio file; an image may be scaled. It expires within a day. */
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

/** Shows results to the members who may see them, and keeps their favorites. Throws denials. */
export interface GalleryService {
	/** `page` starts at 0. */
	page(viewer: GalleryViewer, kind: GalleryKind, page: number): Promise<GalleryPage>;
	/** Resolves to the URL of the result's image; `undefined` if there is no image, or the viewer may not see it. */
	imageOf(viewer: Viewer, task: Task): Promise<string | undefined>;
	/** Resolves to the URL of a public result's first file; `undefined` if its message shows none, or was deleted. Denies results that the viewer may not see. */
	previewOf(viewer: Viewer, taskId: string): Promise<string | undefined>;
	/** Returns the task of a result. Denies results that the viewer may not see. */
	requireSource(viewer: Viewer, taskId: string): Promise<SucceededTask>;
	/** Resolves to true if the result is a favorite now. */
	toggleFavorite(viewer: Viewer, taskId: string, logger: Logger): Promise<boolean>;
	/** Returns the task of a result. Denies members who may not delete it. */
	requireDeletable(viewer: GalleryViewer, taskId: string): Promise<SucceededTask>;
	/** Deletes a result from its channel, the gallery and the showcase. */
	deleteResult(viewer: GalleryViewer, taskId: string, logger: Logger): Promise<void>;
	/** Removes a result from the gallery and the showcase, after its message was deleted. */
	unlist(guildId: string, taskId: string, logger: Logger): Promise<void>;
}

interface GalleryServiceDeps {
	readonly clock: Clock;
	readonly tasks: Pick<TaskStore, "load" | "move" | "ofMember">;
	readonly gallery: GalleryStore;
	readonly channels: Pick<ChannelVisibility, "canRead">;
	readonly messages: ResultMessages;
	readonly showcase: Showcase;
}

export function createGalleryService(deps: GalleryServiceDeps): GalleryService {
	const { clock, tasks, gallery, channels, messages, showcase } = deps;

	/** Resolves to `undefined` for a task that is missing, failed or unreadable: one unreadable task must not hide the others. */
	async function load(taskId: string): Promise<SucceededTask | undefined> {
		try {
			const task = (await tasks.load(taskId))?.task;
			return task && hasSucceeded(task) ? task : undefined;
		} catch (error) {
			if (error instanceof CorruptDocumentError) return undefined;
			throw error;
		}
	}

	async function maySee(viewer: Viewer, task: SucceededTask): Promise<boolean> {
		if (task.guildId !== viewer.guildId) return false;
		if (task.userId === viewer.userId) return true;
		return isPublicResult(task) && (await channels.canRead(viewer, task.reply.channelId));
	}

	async function* taskIds({ guildId, userId }: Viewer, kind: GalleryKind): AsyncGenerator<string> {
		switch (kind) {
			case "mine":
				yield* tasks.ofMember(guildId, userId);
				return;
			case "favorites":
				yield* gallery.favoritesOf({ guildId, userId });
				return;
			case "server":
				for await (const { taskId } of gallery.listedResults(guildId)) yield taskId;
		}
	}

	async function* visibleTasks(viewer: Viewer, kind: GalleryKind): AsyncGenerator<SucceededTask> {
		for await (const taskId of taskIds(viewer, kind)) {
			const task = await load(taskId);
			if (task && (await maySee(viewer, task)) && (kind !== "server" || (await isListedHere(viewer, task)))) yield task;
		}
	}

	/** The viewer's own results of other channels are listed under "mine" only. */
	async function isListedHere(viewer: Viewer, task: SucceededTask): Promise<boolean> {
		return task.userId !== viewer.userId || (await channels.canRead(viewer, task.reply.channelId));
	}

	/** Resolves to `undefined` for a result that was deleted in its channel. Members still find their own under "mine". */
	async function itemOf(
		viewer: GalleryViewer,
		kind: GalleryKind,
		task: SucceededTask,
	): Promise<GalleryItem | undefined> {
		const { guildId, userId } = viewer;
		const messageId = messageIdOf(task);
		const isReadable = isPublicResult(task) && (await channels.canRead(viewer, task.reply.channelId));
		const message: ResultMessage =
			isReadable && messageId !== undefined
				? await messages.read(task.reply.channelId, messageId)
				: { kind: "unknown" };
		const isOwn = task.userId === userId;
		if (message.kind === "gone" && kind !== "mine") return undefined;
		const isInChannel = isReadable && message.kind !== "gone";
		return {
			task,
			isFavorite: await gallery.isFavorite({ guildId, userId }, task.id),
			isInChannel,
			imageUrl: message.kind === "found" ? message.imageUrl : undefined,
			isDeletable: isInChannel && (isOwn || viewer.isModerator),
		};
	}

	async function requireSource(viewer: Viewer, taskId: string): Promise<SucceededTask> {
		const task = isTaskId(taskId) ? await load(taskId) : undefined;
		// A result that the member cannot see is reported as missing.
		if (!task || !(await maySee(viewer, task))) throw new UserError({ key: "request.sourceGone" });
		return task;
	}

	async function requireDeletable(viewer: GalleryViewer, taskId: string): Promise<SucceededTask> {
		const task = await requireSource(viewer, taskId);
		if (task.userId !== viewer.userId && !viewer.isModerator) throw new UserError({ key: "permission.othersResult" });
		return task;
	}

	/** Does nothing for a task of another guild: the id may be forged. */
	async function unlist(guildId: string, taskId: string, logger: Logger): Promise<void> {
		if ((await load(taskId))?.guildId !== guildId) return;
		const post = await gallery.showcasePost(taskId);
		if (post && !(await messages.delete(post.channelId, post.messageId)))
			logger.warn({ taskId, channelId: post.channelId }, "result not deleted from the showcase");
		await gallery.removeResult(guildId, taskId);
		await recordDeletion(taskId);
	}

	async function recordDeletion(taskId: string): Promise<void> {
		for (;;) {
			const loaded = await tasks.load(taskId);
			if (!loaded || !hasSucceeded(loaded.task) || messageIdOf(loaded.task) === undefined) return;
			// A deleted message is not checked for late progress updates.
			const { checkAtMs: _notChecked, ...task } = loaded.task;
			// Repeated if another process moved the task meanwhile.
			if (await tasks.move(loaded, { ...task, messageDeletedAtMs: clock.nowMs() })) return;
		}
	}

	return {
		async imageOf(viewer, task) {
			const messageId = hasSucceeded(task) && isPublicResult(task) ? messageIdOf(task) : undefined;
			const { channelId } = task.reply;
			if (messageId === undefined || !(await channels.canRead(viewer, channelId))) return undefined;
			const message = await messages.read(channelId, messageId);
			return message.kind === "found" ? message.imageUrl : undefined;
		},
		async previewOf(viewer, taskId) {
			const task = await requireSource(viewer, taskId);
			const { channelId } = task.reply;
			const messageId = isPublicResult(task) ? messageIdOf(task) : undefined;
			if (messageId === undefined || !(await channels.canRead(viewer, channelId))) return undefined;
			const message = await messages.read(channelId, messageId);
			return message.kind === "found" ? message.previewUrl : undefined;
		},
		async page(viewer, kind, page) {
			const first = Math.min(page, PAGES_MAX - 1) * PAGE_RESULTS;
			const items: GalleryItem[] = [];
			let seen = 0;
			for await (const task of visibleTasks(viewer, kind)) {
				if (items.length === PAGE_RESULTS) return { items, hasMore: page < PAGES_MAX - 1 };
				if (seen++ < first) continue;
				const item = await itemOf(viewer, kind, task);
				if (item) items.push(item);
				// The result was deleted in its channel. Results of later pages move up by one.
				else await gallery.removeResult(task.guildId, task.id);
			}
			return { items, hasMore: false };
		},
		requireSource,
		async toggleFavorite(viewer, taskId, logger) {
			const task = await requireSource(viewer, taskId);
			const isFavorite = !(await gallery.isFavorite(viewer, taskId));
			await gallery.setFavorite(viewer, taskId, isFavorite);
			if (isFavorite) await showcase.postIfPopular(task, logger);
			return isFavorite;
		},
		requireDeletable,
		async deleteResult(viewer, taskId, logger) {
			const task = await requireDeletable(viewer, taskId);
			const messageId = messageIdOf(task);
			const { ephemeral, channelId } = task.reply;
			if (messageId === undefined || ephemeral) throw new UserError({ key: "report.nothingToDelete" });
			if (!(await messages.delete(channelId, messageId)))
				throw new UserError({ key: "report.deleteForbidden", params: { channelId } });
			await unlist(task.guildId, taskId, logger);
			logger.info({ taskId, userId: viewer.userId }, "result deleted");
		},
		unlist,
	};
}
