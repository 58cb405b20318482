import type { Saying } from "../../messages/messages.ts";
import { composeAnswer } from "../render-result.ts";
import { pictureMenu, resultButtons } from "../result-buttons.ts";
import { MessengerUnavailable, type Answer, type FilesRefused, type Showing } from "../../delivery/messenger.ts";
import { linksOf } from "../links-of.ts";
import { FitPutOff } from "../../delivery/fit/fit-processes.ts";
import { shrinkResult } from "../../delivery/shrink-result.ts";
import { sizeBelow } from "../../delivery/upload-limits.ts";
import { topUpOfferOf } from "../../top-up/offer.ts";
import type { TaskIn } from "../task.ts";
import { NEWS_ARRIVE_WITHIN_MS } from "../progress-news.ts";
import { moved, waitAfterFailure, waitForFitting, type StepContext, type StepDeps, type StepResult } from "./step.ts";

/** Commands that race for the last credits are denied only by the reservation of their task. */
const DENIALS: ReadonlySet<Saying["key"]> = new Set([
	"creditsShort",
	"limitMedium",
	"limitMember",
	"limitServer",
	"tooManyAtOnce",
]);

/** settled -> delivered. The same answer shown twice is seen once, so a crash in between costs nothing. */
export async function deliver(deps: StepDeps, task: TaskIn<"settled">, context: StepContext): Promise<StepResult> {
	const { logger, signal } = context;
	if (task.reply.isRestored && task.outcome.kind === "failed") {
		// The reply may show what came of it after the backup was made.
		logger.info("ended without a word, it is from a backup");
		return moved({ ...task, state: "delivered", shown: { kind: "kept" }, deliveredAtMs: deps.clock.nowMs() });
	}
	const answer = await answerOf(deps, task);
	const mayBeOvertaken = await deps.progress.end(task);
	let shown: Showing;
	try {
		shown = await deps.messenger.show(task.reply, answer, signal);
	} catch (error) {
		if (!(error instanceof MessengerUnavailable)) throw error;
		logger.warn({ err: error }, "delivery put off");
		return waitAfterFailure(deps, context, "away", error.retryAfterMs);
	}
	switch (shown.kind) {
		case "filesRefused":
			return await withLess(deps, task, shown, context);
		case "kept":
			logger.error("no way left to deliver, the result is kept");
			break;
		case "shown":
			logger.info({ rung: shown.rung, withFiles: shown.withFiles }, "task delivered");
	}
	const deliveredAtMs = deps.clock.nowMs();
	const isEdit = shown.kind === "shown" && (shown.rung === "tokenEdit" || shown.rung === "botEdit");
	const check =
		mayBeOvertaken && isEdit && !answer.isPrivate ? { checkAtMs: deliveredAtMs + NEWS_ARRIVE_WITHIN_MS } : {};
	return moved({ ...task, state: "delivered", shown, deliveredAtMs, ...check });
}

/** settled -> settled with smaller files, or with none: a way that is open for words is better than no way. */
async function withLess(
	deps: StepDeps,
	task: TaskIn<"settled">,
	{ rung, isForSize, isPerFile, largestBytes }: FilesRefused,
	context: StepContext,
): Promise<StepResult> {
	const { logger, signal } = context;
	const { outcome } = task;
	if (outcome.kind === "failed") throw new Error("files were refused of what has none");
	const bytesMax = isForSize ? sizeBelow(largestBytes) : 0;
	// Of several files it is not known which were too many, and what direct messages take says nothing of the server.
	const isOfServer = isForSize && rung !== "directMessage";
	if (isOfServer && (isPerFile || outcome.files.length === 1))
		await deps.uploadLimits.learn(task.guildId, largestBytes);
	const shrinking = { taskId: task.id, files: outcome.files, bytesMax };
	const work = () => shrinkResult(deps, shrinking, { logger, signal });
	const files = await deps.lateNotice.during(task, work, signal, logger).catch(putOff);
	if (files instanceof FitPutOff) return waitForFitting(deps, context, files);
	logger.warn({ refusedBytes: largestBytes, bytesMax, isShrunk: files !== undefined }, "files refused");
	const less = files ? { ...outcome, files } : { ...outcome, filesWithheld: true };
	return moved({ ...task, outcome: less });
}

function putOff(error: unknown): FitPutOff {
	if (error instanceof FitPutOff) return error;
	throw error;
}

/** What is shown of a task that has ended. */
export async function answerOf(
	{ results, resultLinks, models, topUp }: StepDeps,
	task: TaskIn<"settled" | "delivered">,
): Promise<Answer> {
	const isPrivate = task.outcome.kind === "failed" && DENIALS.has(task.outcome.why.key);
	const locale = isPrivate ? (task.userLocale ?? task.locale) : task.locale;
	const { description, ...texts } = composeAnswer({ ...task, locale }, await linksOf(resultLinks, task));
	const head = { nonce: task.id, recipientId: task.userId, buttons: resultButtons(task, models) };
	const menu = pictureMenu(task, models);
	if (task.outcome.kind === "failed") {
		const offer = topUp && task.outcome.why.key === "creditsShort" ? topUpOfferOf(topUp, locale) : undefined;
		return { ...head, ...texts, isPrivate, files: [], ...(offer && { topUp: offer }) };
	}
	const { files: made, filesWithheld = false } = task.outcome;
	const isSpoiler = task.reply.spoiler ?? false;
	const files = await Promise.all(
		made.map(async ({ name, contentType }, index) => {
			const content = await results.open(task.id, index);
			return content ? [{ name, contentType, description, content, isSpoiler }] : [];
		}),
	);
	const found = files.flat();
	if (filesWithheld || found.length < made.length)
		return { ...head, ...wordsAlone(texts), direct: wordsAlone(texts.direct), files: [] };
	return { ...head, ...texts, files: found, ...(menu && { menu }) };
}

function wordsAlone({ textWithoutFiles }: { readonly textWithoutFiles: string }) {
	return { text: textWithoutFiles, textWithoutPrompt: textWithoutFiles };
}
