import type { DailyWork } from "@atelier/common/periodic-work";
import { createFirstResponseBarrier } from "../commands/framework/first-response-barrier.ts";
import { bind } from "../commands/framework/bind-commands.ts";
import { taskCommands } from "../commands/index.ts";
import { deadlinesOf } from "../config/load-config.ts";
import type { CommandMentions } from "../discord/command-mentions.ts";
import type { GuildDirectory } from "../services/access/guild-directory.ts";
import type { PromptImprover } from "../services/generation/prompt-improver.ts";
import { createAuthorization } from "../services/moderation/authorization.ts";
import { createWithheldResults } from "../services/moderation/withheld-results.ts";
import { createCreditCheck } from "../services/credits/credit-check.ts";
import { createJobService } from "../services/tasks/job-service.ts";
import { createRequestDrafts } from "../services/tasks/request-drafts.ts";
import { removeOldTasks } from "../services/tasks/remove-old-tasks.ts";
import { createTaskService } from "../services/tasks/task-service.ts";
import { FIRST_CLEANING_AFTER_MS, type BotContext } from "./bot-context.ts";
import type { GalleryFeature } from "./create-gallery.ts";
import type { SettingsFeature } from "./create-settings.ts";
import { openTaskRunner, type TaskRunnerDeps } from "./open-task-runner.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

interface TasksDeps extends TaskRunnerDeps {
	readonly settings: SettingsFeature;
	readonly gallery: GalleryFeature;
	readonly commandMentions: CommandMentions;
	readonly directory: GuildDirectory;
	readonly promptImprover: PromptImprover | undefined;
}

/** Takes requests, runs each task from its reservation to its delivery, and shows, cancels and removes tasks. */
export async function createTasks(context: BotContext, deps: TasksDeps) {
	const { config, store, ledger, clock, logger, restores, stopping } = context;
	const { taskStore, catalog, commandMentions, promptImprover } = deps;
	const { settings, channels, channelPoster, languages } = deps.settings;
	const { gallery, removeTask } = deps.gallery;
	const { accounts, lowCredits, mayManagersGrant } = deps.credits;
	const { replyClient, results, resultLinks } = deps.delivery;
	const { moderation } = deps.moderation;
	const { runner, resume } = await openTaskRunner(context, deps);
	const authorization = createAuthorization({
		settings,
		channels,
		moderation,
		isPausedAfterRestore: () => restores.isPaused(),
		creditCheck: createCreditCheck({ accounts, ledger, lowCredits }),
		clock,
	});
	const deadlinesMs = deadlinesOf(config);
	const drafts = createRequestDrafts({ store, clock });
	const taskService = createTaskService({ taskStore, runner, authorization, ledger, clock, deadlinesMs });
	const wakeTask = (taskId: string): void => runner.wake(taskId);
	const withheld = createWithheldResults({ taskStore, results, wakeTask, clock });
	const jobs = createJobService({ taskStore, results, replyClient, resultLinks, runner, clock });
	const firstResponseBarrier = createFirstResponseBarrier({ clock });
	const commands = bind(taskCommands, {
		catalog,
		taskService,
		drafts,
		jobs,
		gallery,
		channels,
		directory: deps.directory,
		withheld,
		accounts,
		mayManagersGrant,
		settings,
		channelPoster,
		languages,
		firstResponseBarrier,
		promptImprover,
		commandMentions,
		clock,
	});
	const retentionMs = config.TASK_RETENTION_DAYS * DAY_MS;
	const firstAfterMs = FIRST_CLEANING_AFTER_MS;
	const dailyWork: readonly DailyWork[] = [
		{
			name: "remove old tasks",
			work: () => removeOldTasks({ taskStore, removeTask, clock, logger, retentionMs, stopping }),
			firstAfterMs,
		},
		{ name: "remove old drafts", work: () => drafts.removeOld(logger), firstAfterMs },
	];

	return { commands, jobs, drafts, wakeTask, resume, dailyWork };
}
