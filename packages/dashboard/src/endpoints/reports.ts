/** Reports of results: moderators read them and act on them, as with the buttons in the moderators' channel. */
import * as schemas from "../schemas/reports.ts";
import { ServerParams } from "../schemas.ts";

export const reportEndpoints = {
	reports: {
		method: "GET",
		path: "/servers/:server/reports",
		access: "moderator",
		summary: "List reported results",
		params: ServerParams,
		query: schemas.ReportsQuery,
		response: schemas.Reports,
	},
	actOnReport: {
		method: "POST",
		path: "/servers/:server/reports/:job/act",
		access: "moderator",
		byKey: false,
		summary: "Dismiss a report, delete its result or block its author; managers also refund it",
		params: schemas.ReportParams,
		body: schemas.ReportActionBody,
		response: schemas.ActedReport,
	},
} as const;
