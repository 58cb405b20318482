import type { Member } from "../access/member.ts";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { t } from "../../i18n/messages.ts";
import { quoteName, quotePrompt } from "../../i18n/quote.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { toTimestampS } from "../../i18n/timestamp.ts";
import type { PostOutcome } from "../delivery/file-poster.ts";
import type { ReplyFile } from "../delivery/final-reply.ts";
import type { ResultStore } from "../delivery/result-store.ts";
import { storedFiles } from "../delivery/stored-files.ts";
import type { GuildLanguages } from "../settings/guild-languages.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { type Failure, type Task, type TaskIn, type WithheldResult, withoutDelivery } from "../tasks/task.ts";
import { requireGuildTask, type TaskStore } from "../tasks/task-store.ts";
import { UserError } from "../user-error.ts";

export const WITHHELD_ACTIONS = ["show", "discard"] as const;
export type WithheldAction = (typeof WITHHELD_ACTIONS)[number];

/** A withheld result in the moderators' channel. */
interface WithheldMessage {
	readonly taskId: string;
	readonly text: string;
	readonly files: readonly ReplyFile[];
	readonly locale: string;
}

/** Posts withheld results, with the buttons of the moderators. A repeated post of a task within minutes creates no second message. */
export interface WithheldPoster {
	post(channelId: string, message: WithheldMessage): Promise<PostOutcome>;
}

/** A task whose result waits for the moderators. */
export type WithheldTask = Task & {
	readonly outcome: Failure & { readonly withheld: WithheldResult };
};

interface WithheldNoticesDeps {
	readonly results: Pick<ResultStore, "open">;
	readonly settings: Pick<SettingsStore, "read">;
	readonly languages: Pick<GuildLanguages, "localeOf">;
	readonly withheldPoster: WithheldPoster;
}

/** Shows withheld results to the moderators. */
export interface WithheldNotices {
	/** `unknown`: Discord did not respond, so the notice may be there. A retry is safe for some minutes. */
	post(task: WithheldTask, logger: Logger): Promise<PostOutcome["kind"]>;
}

export function createWithheldNotices({
	results,
	settings,
	languages,
	withheldPoster,
}: WithheldNoticesDeps): WithheldNotices {
	return {
		async post(task, logger) {
			const guildSettings = await settings.read(task.guildId);
			const { reportChannelId } = guildSettings;
			if (reportChannelId === null) return "rejected";
			const locale = await languages.localeOf(task.guildId, guildSettings);
			const { id: taskId, request, outcome: withheldOutcome } = task;
			const { files } = withheldOutcome.withheld;
			const stored = await storedFiles(results, { taskId, prompt: request.prompt, files, isSpoiler: true });
			const message = { taskId, text: formatWithheld(task, locale), files: stored, locale };
			const outcome = await withheldPoster.post(reportChannelId, message);
			const { kind } = outcome;
			const logFields = { kind, ...("error" in outcome && { err: outcome.error }) };
			if (kind !== "posted") logger.warn(logFields, "withheld result not shown to the moderators");
			return kind;
		},
	};
}

/** The decision about a withheld result, and its task before the decision. */
export interface WithheldDecision {
	readonly task: Task;
	readonly action: WithheldAction;
	readonly byUserId: string;
	readonly atS: number;
}

/** The decisions of the moderators about withheld results: each result is decided once. Throws denials. The caller checks that the member is one. */
export interface WithheldResults {
	decide(moderator: Member, taskId: string, action: WithheldAction, logger: Logger): Promise<WithheldDecision>;
}

interface WithheldResultsDeps {
	readonly taskStore: Pick<TaskStore, "load" | "move" | "reopen">;
	readonly results: Pick<ResultStore, "open" | "remove">;
	readonly runner: { wake(taskId: string): void };
	readonly clock: Clock;
}

export function createWithheldResults({ taskStore, results, runner, clock }: WithheldResultsDeps): WithheldResults {
	return {
		async decide({ guildId, userId }, taskId, action, logger) {
			const loaded = await requireGuildTask(taskStore, guildId, taskId);
			const { task } = loaded;
			if (!isWithheld(task)) throw new UserError({ key: "withheld.decided" });
			// The task is being delivered: the member does not know its outcome yet.
			if (task.state !== "delivered") throw new UserError({ key: "job.notDone" });
			if (action === "show" && !(await results.open(taskId, 0))) throw new UserError({ key: "job.filesGone" });
			const written =
				action === "show"
					? await taskStore.reopen(loaded, reopenedTask(task))
					: await taskStore.move(loaded, discardedTask(task));
			if (!written) throw new UserError({ key: "withheld.decided" });
			if (action === "show") runner.wake(taskId);
			else await results.remove(taskId);
			logger.info({ taskId, action, moderatorId: userId }, "withheld result decided");
			return { task, action, byUserId: userId, atS: toTimestampS(clock.nowMs()) };
		},
	};
}

export function isWithheld(task: Task): task is WithheldTask {
	return "outcome" in task && task.outcome.kind === "failed" && task.outcome.withheld !== undefined;
}

/** Returns the task for the delivery of its result. It stays free, as the member was told. */
function reopenedTask(task: TaskIn<"delivered"> & WithheldTask): Task {
	const { files, seed, leftOutCount } = task.outcome.withheld;
	const outcome = { kind: "succeeded", files, seed, ...(leftOutCount !== undefined && { leftOutCount }) } as const;
	return { ...withoutDelivery(task), outcome };
}

function discardedTask(task: TaskIn<"delivered"> & WithheldTask): Task {
	const { withheld: _discarded, ...outcome } = task.outcome;
	return { ...task, outcome };
}

/** Formats a withheld result for the moderators, with their decision. */
export function formatWithheld(task: Task, locale: string, decision?: Omit<WithheldDecision, "task">): string {
	if (!isWithheld(task)) throw new TypeError("the result is not withheld");
	const { id, userId, request, reply, createdAtMs, outcome } = task;
	const { cause, categories } = outcome.withheld;
	const lines = [
		t(locale, {
			key: "withheld.head",
			params: { userId, channelId: reply.channelId, atS: toTimestampS(createdAtMs), cause: causeVariantOf(cause) },
		}),
		...(categories.length > 0
			? [
					t(locale, {
						key: "withheld.categories",
						params: { categories: categories.map((category) => ({ key: `category.${category}` as const })) },
					}),
				]
			: []),
		t(locale, {
			key: "withheld.about",
			params: { prompt: quotePrompt(request.prompt), model: quoteName(request.modelName), taskId: id },
		}),
	];
	if (decision) {
		const { action, byUserId, atS } = decision;
		lines.push(
			t(locale, { key: "withheld.done", params: { action: action === "show" ? action : "other", byUserId, atS } }),
		);
	}
	return lines.join("\n");
}

/** Tells the member why there is no result. */
export function messageOfWithheld(cause: WithheldResult["cause"], isForModerators: boolean): MessageDescriptor {
	return { key: "service.resultWithheld", params: { cause: causeVariantOf(cause), isForModerators } };
}

/** Selects the variant of a message: `other` for flagged and for illegal content, which members are not told apart. */
function causeVariantOf(cause: WithheldResult["cause"]): "unchecked" | "ageRestricted" | "other" {
	return cause === "unchecked" || cause === "ageRestricted" ? cause : "other";
}
