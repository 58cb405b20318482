import { t } from "../../../i18n/messages.ts";
import type { MessageDescriptor } from "../../../i18n/message-descriptor.ts";
import { UserError } from "../../../services/user-error.ts";
import { ApiError } from "../api-error.ts";
import { galleryViewerOf, type Handlers, type Reader } from "../api-request.ts";
import { readJobViewer, readJobsPage } from "./list-jobs.ts";

export const jobHandlers = {
	async jobs({ params: { server }, query, reader }, services) {
		const { taskStore } = services;
		const { userId } = query;
		const jobViewer = await readJobViewer(reader, server, services);
		const index = (before?: string) =>
			userId === undefined ? taskStore.ofGuild(server, before) : taskStore.ofMember(server, userId, before);
		return await readJobsPage(index, query, jobViewer, taskStore);
	},

	async ownJobs({ params: { server }, query, reader }, services) {
		const { taskStore } = services;
		const jobViewer = await readJobViewer(reader, server, services);
		return await readJobsPage(
			(before) => taskStore.ofMember(server, reader.userId, before),
			query,
			jobViewer,
			taskStore,
		);
	},

	async cancelJob({ params: { server, job }, reader }, { jobs }) {
		const { userId, permissions, logger } = reader;
		const requester = { guildId: server, userId, isModerator: permissions.isModerator };
		return outcome(reader, await jobs.cancel(requester, job, logger));
	},

	async deleteResult({ params: { server, job }, reader }, { resultDeletion }) {
		await resultDeletion.deleteResult(galleryViewerOf(reader, server), job, reader.logger);
		return outcome(reader, { key: "privacy.resultDeleted" });
	},

	async refundJob({ params: { server, job }, reader }, { refundTask }) {
		const refund = { guildId: server, taskId: job, by: reader.by };
		const { amountCredits: credits, refundedBeforeAtMs } = await refundTask(refund);
		if (refundedBeforeAtMs !== undefined) throw new UserError({ key: "report.refundedBefore" });
		reader.logger.info({ taskId: job, userId: reader.userId, amountCredits: credits }, "job refunded");
		return outcome(reader, { key: "web.jobRefunded", params: { credits } });
	},

	async jobPreview({ params: { server, job }, reader }, { gallery }) {
		const url = await gallery.previewOf(galleryViewerOf(reader, server), job);
		if (url === undefined) throw new ApiError("not_found", { key: "web.notFound" });
		return url;
	},

	async reportJob({ params: { server, job }, body: { reason }, reader }, { resultAccess, reportService }) {
		const viewer = galleryViewerOf(reader, server);
		// Moderators may report every result that they may delete.
		await (viewer.isModerator
			? resultAccess.requireDeletable(viewer, job, viewer.isModerator)
			: resultAccess.requireVisible(viewer, job));
		await reportService.report({ guildId: server, userId: reader.userId }, job, reason, reader.logger);
		return outcome(reader, { key: "report.thanks" });
	},
} satisfies Partial<Handlers>;

function outcome({ locale }: Reader, message: MessageDescriptor): { readonly message: string } {
	return { message: t(locale, message) };
}
