import type { Logger } from "pino";
import { isMachineError } from "@atelier/common/is-errno";
import type { FrameExtractor } from "@atelier/media-files/frame-extractor";
import type { MediaFile } from "../delivery/media-file.ts";
import type { ResultStore } from "../delivery/result-store.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import type { Task } from "../tasks/task.ts";
import type { ChannelDirectory } from "../access/request-channel.ts";
import { IncompleteReviewError, type ModerationClient, type PromptReview } from "./moderation-client.ts";
import { applyRules, SHOW, type CategoryRules, type Ruling, type Verdict } from "./verdict.ts";

/** The decision about a result. `isForModerators`: the server has a channel for moderators, and they may see the result. */
type ReviewOutcome =
	| Extract<Ruling, { kind: "show" }>
	| (Extract<Ruling, { kind: "withhold" }> & { readonly isForModerators: boolean });

export type ResultReviewer = ReturnType<typeof createResultReviewer>;

interface ResultReviewerDeps {
	readonly moderationClient: Pick<ModerationClient, "reviewResult">;
	/** The decision if the service does not respond, or responds invalidly, and about files that cannot be read. */
	readonly failure: "deny" | "allow";
	readonly frames: FrameExtractor;
	readonly results: Pick<ResultStore, "locateFullSize">;
	readonly settings: Pick<SettingsStore, "read">;
	readonly channels: Pick<ChannelDirectory, "isAgeRestricted">;
}

/** Lets the moderation service judge the stored files of a task before anyone sees them. Throws if this machine cannot read them now. */
export function createResultReviewer(deps: ResultReviewerDeps) {
	const { moderationClient, failure, frames, results, settings, channels } = deps;

	async function imagesOf(
		taskId: string,
		files: readonly MediaFile[],
		signal: AbortSignal,
	): Promise<readonly Uint8Array[]> {
		const images: Uint8Array[] = [];
		for (const index of files.keys()) {
			// A preview shows less than the full-size file, to which its message links.
			const file = await results.locateFullSize(taskId, index);
			if (!file) throw new Error("the file of a result is not stored");
			images.push(...(await frames.extract(file.path, file.sizeBytes, signal)));
		}
		return images;
	}

	/** A channel that cannot be read does not count as age-restricted. */
	async function isAgeRestricted(channelId: string, logger: Logger): Promise<boolean> {
		try {
			return await channels.isAgeRestricted(channelId);
		} catch (error) {
			logger.warn({ err: error }, "channel of a result not read");
			return false;
		}
	}

	async function judge(
		review: PromptReview,
		readImages: () => Promise<readonly Uint8Array[]>,
		rules: CategoryRules,
		isChannelAgeRestricted: () => Promise<boolean>,
		logger: Logger,
	): Promise<Ruling> {
		try {
			const images = await readImages();
			// Music has no images: its lyrics were reviewed with the prompt.
			if (images.length === 0) return SHOW;
			return await applyRules(
				await moderationClient.reviewResult({ ...review, images }),
				rules,
				isChannelAgeRestricted,
			);
		} catch (error) {
			// Says nothing about the files, and a later attempt can read them.
			if (isMachineError(error)) throw error;
			logger.warn({ err: error, failure }, "result not checked by the moderation service");
			// The verdict on the other images still counts.
			const known: Verdict = error instanceof IncompleteReviewError ? error.verdict : { kind: "allowed" };
			const ruling = await applyRules(known, rules, isChannelAgeRestricted);
			if (ruling.kind === "withhold" || failure === "allow") return ruling;
			return { kind: "withhold", cause: "unchecked", categories: [] };
		}
	}

	return {
		async review(
			{ id, guildId, userId, request, reply }: Pick<Task, "id" | "guildId" | "userId" | "request" | "reply">,
			files: readonly MediaFile[],
			{ signal, logger }: { readonly signal: AbortSignal; readonly logger: Logger },
		): Promise<ReviewOutcome> {
			const { safety: rules, reportChannelId } = await settings.read(guildId);
			const readImages = (): Promise<readonly Uint8Array[]> => imagesOf(id, files, signal);
			const readRestriction = (): Promise<boolean> => isAgeRestricted(reply.channelId, logger);
			const ruling = await judge({ guildId, userId, request }, readImages, rules, readRestriction, logger);
			signal.throwIfAborted();
			if (ruling.kind === "show") return ruling;
			const { cause, categories } = ruling;
			logger.warn({ cause, categories }, "result withheld");
			return { ...ruling, isForModerators: cause !== "illegal" && reportChannelId !== null };
		},
	};
}
