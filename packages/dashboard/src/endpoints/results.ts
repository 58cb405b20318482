/** The images of results, and reports of results. */
import { ReportJobBody } from "../schemas/reports.ts";
import { ActionOutcome } from "../schemas.ts";

export const resultEndpoints = {
	jobPreview: {
		method: "GET",
		path: "/servers/:server/jobs/:job/preview",
		access: "member",
		summary: "Redirect to the first file of a public result, in a channel that the reader can see",
		response: "redirect",
	},
	reportJob: {
		method: "POST",
		path: "/servers/:server/jobs/:job/report",
		access: "member",
		summary: "Report a result: members one that they can see, moderators every public one",
		body: ReportJobBody,
		response: ActionOutcome,
	},
} as const;
