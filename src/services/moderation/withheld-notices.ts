import type { Logger } from "pino";
import type { PostOutcome } from "../delivery/file-poster.ts";
import type { ReplyFile } from "../delivery/final-reply.ts";
import type { ResultStore } from "../delivery/result-store.ts";
import { storedFiles } from "../delivery/stored-files.ts";
import type { GuildLanguages } from "../settings/guild-languages.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import type { WithheldTask } from "../tasks/task.ts";
import { formatWithheld } from "./format-withheld.ts";

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

interface WithheldNoticesDeps {
	readonly results: Pick<ResultStore, "open">;
	readonly settings: Pick<SettingsStore, "read">;
	readonly languages: Pick<GuildLanguages, "localeOf">;
	readonly withheldPoster: WithheldPoster;
}

export type WithheldNotices = ReturnType<typeof createWithheldNotices>;

/** Shows withheld results to the moderators. */
export function createWithheldNotices({ results, settings, languages, withheldPoster }: WithheldNoticesDeps) {
	return {
		/** `unknown`: Discord did not respond, so the notice may be there. A retry is safe for some minutes. */
		async post(task: WithheldTask, logger: Logger): Promise<PostOutcome["kind"]> {
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
