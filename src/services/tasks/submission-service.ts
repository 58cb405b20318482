import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { ReplyTarget } from "../delivery/reply-target.ts";
import type { MediaType } from "@atelier/media-protocol/model";
import type { GenerationRequest } from "../generation/request.ts";
import type { Authorize } from "./authorization.ts";
import type { MemberWithRoles } from "../access/member.ts";
import type { RequestChannel } from "../access/request-channel.ts";
import type { TaskRunner } from "./task-runner.ts";
import type { PingChoice, Presentation, TaskSource } from "./task.ts";
import type { TaskCredits } from "./task-credits.ts";

/** The longest time (ms) from the command until the task fails, by media type. */
type DeadlinesMs = Readonly<Record<MediaType, number>>;

/** All that is needed to authorize and start a task. */
export interface Submission extends MemberWithRoles {
	/** Id of the interaction: a duplicate event starts no second task. */
	readonly id: string;
	readonly request: GenerationRequest;
	/** Locale of the reply. */
	readonly locale: string;
	/** Locale of the member. */
	readonly userLocale: string;
	readonly reply: ReplyTarget;
	readonly presentation: Presentation;
	readonly source?: TaskSource;
	readonly ping?: PingChoice;
	readonly channel: RequestChannel;
}

export type SubmissionService = ReturnType<typeof createSubmissionService>;

interface SubmissionServiceDeps {
	readonly taskCredits: Pick<TaskCredits, "reserve">;
	readonly runner: Pick<TaskRunner, "wake">;
	readonly authorize: Authorize;
	readonly clock: Clock;
	readonly deadlinesMs: DeadlinesMs;
}

export function createSubmissionService(deps: SubmissionServiceDeps) {
	const { taskCredits, runner, authorize, clock, deadlinesMs } = deps;

	return {
		/** Throws the denials of `submit` without starting a task; called before the member is asked to confirm. */
		authorize,
		/**
		 * Authorizes and starts a task. Once it resolves, the task survives a crash, and its reply shows the outcome. Resolves to
		 * false if the task exists already; the task keeps its first reply. Throws a `UserError` for a denial.
		 */
		async submit(submission: Submission, logger: Logger): Promise<boolean> {
			const plan = await authorize(submission, logger);
			const { roleIds: _roleIds, channel: _channel, ...task } = submission;
			const { request } = task;
			const limitAccounts = plan.limits.map(({ account }) => account);
			const createdAtMs = clock.nowMs();
			const deadlineAtMs = createdAtMs + deadlinesMs[request.mediaType];
			const reserved = { ...task, limitAccounts, createdAtMs, deadlineAtMs, state: "reserved" } as const;
			const created = await taskCredits.reserve(reserved, plan, logger);
			runner.wake(task.id, created);
			if (!created) {
				logger.info({ taskId: task.id }, "task already exists");
				return false;
			}
			const { model, costCredits, prompt } = request;
			logger.info({ taskId: task.id, model, costCredits, promptChars: prompt.length }, "task created");
			return true;
		},
	};
}
