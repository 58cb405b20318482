import type { PostedReport, ReportedResult } from "./report-store.ts";

/** Posts reports in the moderators' channel of a server. */
export interface ModeratorsChannel {
	/**
	 * Posts a report with its buttons. Resolves to `undefined` without permission. A repeated post of a report within minutes
	 * creates no second message.
	 */
	post(
		channelId: string,
		reported: ReportedResult,
		reporterId: string,
		locale: string,
	): Promise<PostedReport | undefined>;
	/** Shows the present state in the message of a report. Resolves to `false` without permission, and to `true` for a deleted message. */
	update(posted: PostedReport, reported: ReportedResult, reporterId: string, locale: string): Promise<boolean>;
}
