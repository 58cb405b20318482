import { t } from "../../../i18n/messages.ts";
import { ApiError } from "../api-error.ts";
import { viewerOf, type Handlers } from "../api-request.ts";

export const resultHandlers: Handlers<"jobPreview" | "reportJob"> = {
	async jobPreview({ params: { server, job }, reader }, { gallery }) {
		const url = await gallery.previewOf(viewerOf(reader, server), job);
		if (url === undefined) throw new ApiError("not_found", { key: "web.notFound" });
		return url;
	},

	async reportJob({ params: { server, job }, body: { reason }, reader }, { gallery, reports }) {
		await gallery.requireSource(viewerOf(reader, server), job);
		await reports.report({ guildId: server, userId: reader.userId }, job, reason, reader.logger);
		return { message: t(reader.locale, { key: "report.thanks" }) };
	},
};
