import { t } from "../../../i18n/messages.ts";
import type { MessageDescriptor } from "../../../i18n/message-descriptor.ts";
import { UserError } from "../../../services/user-error.ts";
import { ApiError } from "../api-error.ts";
import { galleryViewerOf, type Handlers, type Caller } from "../api-request.ts";
import { readJobViewer, readJobsPage } from "./list-jobs.ts";

export const jobHandlers = {
	async jobs({ params: { server }, query, caller }, services) {
		const { taskStore } = services;
		const { userId } = query;
		const jobViewer = await readJobViewer(caller, server, services);
		const index = (before?: string) =>
			userId === undefined ? taskStore.ofGuild(server, before) : taskStore.ofMember(server, userId, before);
		return await readJobsPage(index, query, jobViewer, taskStore);
	},

	async ownJobs({ params: { server }, query, caller }, services) {
		const { taskStore } = services;
		const jobViewer = await readJobViewer(caller, server, services);
		return await readJobsPage(
			(before) => taskStore.ofMember(server, caller.userId, before),
			query,
			jobViewer,
			taskStore,
		);
	},

	async cancelJob({ params: { server, job }, caller }, { memberTasks }) {
		const { userId, permissions, logger } = caller;
		const requester = { guildId: server, userId, isModerator: permissions.isModerator };
		return outcome(caller, await memberTasks.cancel(requester, job, logger));
	},

	async deleteResult({ params: { server, job }, caller }, { resultDeletion }) {
		await resultDeletion.deleteResult(galleryViewerOf(caller, server), job, caller.logger);
		return outcome(caller, { key: "privacy.resultDeleted" });
	},

	async refundJob({ params: { server, job }, caller }, { refundTask }) {
		const refund = { guildId: server, taskId: job, by: caller.by };
		const { amountCredits: credits, refundedBeforeAtMs } = await refundTask(refund);
		if (refundedBeforeAtMs !== undefined) throw new UserError({ key: "report.refundedBefore" });
		caller.logger.info({ taskId: job, userId: caller.userId, amountCredits: credits }, "job refunded");
		return outcome(caller, { key: "web.jobRefunded", params: { credits } });
	},

	async jobPreview({ params: { server, job }, caller }, { gallery }) {
		const url = await gallery.previewOf(galleryViewerOf(caller, server), job);
		if (url === undefined) throw new ApiError("not_found", { key: "web.notFound" });
		return url;
	},

	async reportJob({ params: { server, job }, body: { reason }, caller }, { resultAccess, reportService }) {
		const viewer = galleryViewerOf(caller, server);
		// Moderators may report every result that they may delete.
		await (viewer.isModerator ? resultAccess.requireDeletable(viewer, job) : resultAccess.requireVisible(viewer, job));
		await reportService.report({ guildId: server, userId: caller.userId }, job, reason, caller.logger);
		return outcome(caller, { key: "report.thanks" });
	},
} satisfies Partial<Handlers>;

function outcome({ locale }: Caller, message: MessageDescriptor): { readonly message: string } {
	return { message: t(locale, message) };
}
