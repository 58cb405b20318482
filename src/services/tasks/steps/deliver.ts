import { t } from "../../../i18n/messages.ts";
import {
	ReplyClientUnavailableError,
	UnusableResponseError,
	type DeliveryOutcome,
	type DeliveryResult,
	type FilesRejected,
} from "../../delivery/reply-client.ts";
import type { FinalReply } from "../../delivery/final-reply.ts";
import { isEdit, type DeliveryRoute } from "../../delivery/delivery-routes.ts";
import { shrinkStoredFiles } from "../../delivery/shrink-stored-files.ts";
import { messageOfWithheld } from "../../moderation/format-withheld.ts";
import { buildFinalReply } from "../build-final-reply.ts";
import { isDeliveredResult, isPublicResult, messageLinkOf } from "../delivered-result.ts";
import {
	isWithheld,
	PING_AFTER_MS,
	withoutCheck,
	withoutDelivery,
	type Success,
	type TaskIn,
	type WithheldTask,
} from "../task.ts";
import { UPDATES_ARRIVE_WITHIN_MS } from "../progress-updates.ts";
import { moved, type StepContext, type StepDeps, type StepResult, waitAfterFailure } from "./step.ts";

const MIB = 1024 * 1024;
/** Sizes that are still worth viewing. A rejected file is tried with the next smaller one. */
const SIZES_BYTES = [10, 8, 4, 2, 1].map((mib) => mib * MIB);
/** The last attempt is up to a minute after the first, while Discord still merges posts with the same nonce. */
const UNUSABLE_RESPONSES_MAX = 8;

/** A direct message notifies the member by itself. A ping beside an ephemeral follow-up would be public. */
const PINGED_ROUTES: ReadonlySet<DeliveryRoute> = new Set(["tokenEdit", "botEdit", "botPost"]);

/**
 * settled -> delivered. Delivering a reply twice shows it once, apart from the exception that `ReplyClient` names, so a crash in
 * between is harmless.
 */
export async function deliver(deps: StepDeps, task: TaskIn<"settled">, context: StepContext): Promise<StepResult> {
	const prepared = await prepareDelivery(deps, task, context);
	if (prepared) return prepared;
	const { logger } = context;
	const finalReply = await buildFinalReply(deps, task);
	if (task.isRestored && (task.outcome.kind === "failed" || finalReply.whyMissing === "notStored")) {
		// The reply may show a result from after the backup, whose files an edit without files would remove.
		logger.info("restored task ended without a reply");
		return moved({ ...task, state: "delivered", shown: { kind: "undelivered" }, deliveredAtMs: deps.clock.nowMs() });
	}
	const mayBeOverwritten = await deps.progress.end(task);
	const shown = await tryToDeliver(deps, task, finalReply, context);
	switch (shown.kind) {
		case "filesRejected":
			return afterRejectedFiles(task, shown, context);
		case "undelivered":
			logger.error("no delivery route left, result stored");
			break;
		case "delivered":
			logger.info({ route: shown.route, withFiles: shown.withFiles }, "task delivered");
	}
	return completeDelivery(deps, task, shown, mayBeOverwritten, context);
}

/** Returns what comes before the delivery; `undefined` if the reply can be delivered now. */
async function prepareDelivery(
	deps: StepDeps,
	task: TaskIn<"settled">,
	context: StepContext,
): Promise<StepResult | undefined> {
	const { logger } = context;
	if (isWithheld(task) && !task.isRestored && !task.outcome.withheld.isPosted) {
		// Post to the moderators first: the member's message says that moderators can see the result.
		const posted = await deps.withheldNotices.post(task, logger);
		if (posted === "unknown") return waitAfterFailure(deps, context, "unavailable");
		if (posted !== "posted") return await discardWithheld(deps, task);
		return moved({ ...task, outcome: { ...task.outcome, withheld: { ...task.outcome.withheld, isPosted: true } } });
	}
	if (task.outcome.kind === "succeeded" && task.outcome.shrinkToBytes !== undefined)
		return await shrinkFiles(deps, task, task.outcome, task.outcome.shrinkToBytes, context);
	return undefined;
}

/** Gives up after some unusable responses: the reply may be shown, and more attempts might show it again and again. */
async function tryToDeliver(
	{ replyClient }: StepDeps,
	{ reply }: TaskIn<"settled">,
	finalReply: FinalReply,
	{ failures, logger, signal }: StepContext,
): Promise<DeliveryResult> {
	try {
		return await replyClient.deliver(reply, finalReply, signal);
	} catch (error) {
		const attempts = (failures.counts.unusableResponse ?? 0) + 1;
		if (!(error instanceof UnusableResponseError) || attempts < UNUSABLE_RESPONSES_MAX) throw error;
		logger.error({ err: error, attempts }, "responses of Discord unusable");
		return { kind: "undelivered" };
	}
}

/** settled -> delivered, after the reply was shown: adds a public result to the gallery, and pings a member who asked for that. */
function completeDelivery(
	deps: StepDeps,
	task: TaskIn<"settled">,
	shown: DeliveryOutcome,
	mayBeOverwritten: boolean,
	context: StepContext,
): StepResult {
	const deliveredAtMs = deps.clock.nowMs();
	// A delivered task has no `ping`: it was sent or is not needed.
	const { ping, ...rest } = shown.kind === "delivered" ? inThread(task, shown.threadId) : task;
	const delivered: TaskIn<"delivered"> = {
		...rest,
		state: "delivered",
		shown,
		deliveredAtMs,
		...(mayBeOverwritten &&
			shown.kind === "delivered" &&
			isEdit(shown.route) && { checkAtMs: deliveredAtMs + UPDATES_ARRIVE_WITHIN_MS }),
	};
	const { id, guildId, reply } = delivered;
	const isListed = isDeliveredResult(delivered) && isPublicResult(delivered);
	const writes = isListed ? [deps.galleryStore.listingOf({ taskId: id, guildId, channelId: reply.channelId })] : [];
	const hasWaited = deliveredAtMs - task.createdAtMs > PING_AFTER_MS;
	const isPinged = ping === "requested" && hasWaited && shown.kind === "delivered" && PINGED_ROUTES.has(shown.route);
	if (!isPinged) return moved(delivered, writes);
	return { kind: "moved", task: delivered, writes, afterMove: () => pingMember(deps, delivered, context) };
}

/** Returns a task whose reply is in the thread that its delivery opened, if it did (`threadId`). A later delivery opens none. */
function inThread(task: TaskIn<"settled">, threadId: string | undefined): TaskIn<"settled"> {
	const reply = threadId === undefined ? task.reply : { ...task.reply, channelId: threadId };
	return { ...task, reply, presentation: { ...task.presentation, opensThread: false } };
}

/** settled -> settled without the files, which no moderator will see. */
async function discardWithheld({ results }: StepDeps, task: TaskIn<"settled"> & WithheldTask): Promise<StepResult> {
	await results.remove(task.id);
	const { withheld, ...outcome } = task.outcome;
	return moved({ ...task, outcome: { ...outcome, why: messageOfWithheld(withheld.cause, false) } });
}

/** Pings the member, because an edited reply notifies no one. A ping that cannot be sent is not worth a retry. */
async function pingMember(
	{ replyClient }: StepDeps,
	task: TaskIn<"delivered">,
	{ logger, signal }: StepContext,
): Promise<void> {
	const { userId, reply, locale, userLocale } = task;
	const link = messageLinkOf(task);
	const text = t(reply.isEphemeral ? userLocale : locale, { key: "result.ping", params: { userId, link } });
	try {
		await replyClient.ping(reply, { userId, text }, signal);
	} catch (error) {
		if (!(error instanceof ReplyClientUnavailableError)) throw error;
		logger.warn({ err: error }, "member not pinged");
	}
}

/**
 * settled -> settled with the limit for smaller files, or without files: a route that accepts only text is better than no route. The
 * limit is stored first: after a crash, the stored files may be smaller already.
 */
function afterRejectedFiles(
	task: TaskIn<"settled">,
	{ route, isForSize, largestBytes }: FilesRejected,
	{ logger }: StepContext,
): StepResult {
	const { outcome } = task;
	if (outcome.kind === "failed") throw new Error("files rejected of a reply without files");
	const shrinkToBytes = isForSize ? SIZES_BYTES.find((bytes) => bytes < largestBytes) : undefined;
	logger.warn({ route, rejectedBytes: largestBytes, shrinkToBytes }, "files rejected");
	const change = shrinkToBytes === undefined ? { areFilesRejected: true } : { shrinkToBytes };
	return moved({ ...task, outcome: { ...outcome, ...change } });
}

/** settled -> settled with smaller files, or with none if that is impossible. */
async function shrinkFiles(
	deps: StepDeps,
	task: TaskIn<"settled">,
	{ shrinkToBytes: _shrinkToBytes, ...outcome }: Success,
	bytesMax: number,
	{ logger, signal }: StepContext,
): Promise<StepResult> {
	const stored = { taskId: task.id, files: outcome.files, bytesMax, mark: deps.provenanceMarkOf(task) };
	const files = await shrinkStoredFiles(deps, stored, { logger, signal });
	return moved({ ...task, outcome: { ...outcome, ...(files ? { files } : { areFilesRejected: true }) } });
}

/**
 * delivered -> delivered if the reply may still show the result, or its files are no longer stored; -> settled, to deliver again, if a
 * late progress edit replaced it.
 */
export async function verifyDelivery(
	deps: StepDeps,
	task: TaskIn<"delivered">,
	checkAtMs: number,
	context: StepContext,
): Promise<StepResult> {
	if (deps.clock.nowMs() < checkAtMs) return { kind: "wait", untilMs: checkAtMs };
	const finalReply = await buildFinalReply(deps, task);
	// Files that are no longer stored cannot be delivered again: keep the reply as it is.
	const isDeliverable = finalReply.files.length > 0 || !(task.shown.kind === "delivered" && task.shown.withFiles);
	if (!isDeliverable || (await deps.replyClient.mayBeVisible(task.reply, finalReply, context.signal)))
		return moved(withoutCheck(task));
	context.logger.warn("late progress update replaced the result: delivering it again");
	return moved(withoutDelivery(task));
}
