/** Reports of results: moderators read them and act on them, as with the buttons in the moderators' channel. */
import * as schemas from "../schemas/reports.ts";

export const reportEndpoints = {
	reports: {
		method: "GET",
		path: "/servers/:server/reports",
		access: "moderator",
		summary: "List reported results",
		query: schemas.ReportsQuery,
		response: schemas.Reports,
	},
	actOnReport: {
		method: "POST",
		path: "/servers/:server/reports/:job/act",
		access: "moderator",
		byKey: false,
		summary: "Dismiss a report, delete its result or block its author; managers also refund it",
		body: schemas.ReportActionBody,
		response: schemas.ActedReport,
	},
} as const;
