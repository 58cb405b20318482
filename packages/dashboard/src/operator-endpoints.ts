/** The endpoints of operators. All other readers get `not_found`. */
import * as schemas from "./schemas/operator.ts";
import { Balance, CreditChangeBody } from "./schemas/credits.ts";

export const operatorEndpoints = {
	operatorServers: {
		method: "GET",
		path: "/operator/servers",
		access: "operator",
		summary: "List servers with their credits, by id or by name",
		query: schemas.OperatorServersQuery,
		response: schemas.OperatorServers,
	},
	operatorServer: {
		method: "GET",
		path: "/operator/servers/:server",
		access: "operator",
		summary: "Read credits, spending and the newest journal entries of a server",
		response: schemas.OperatorServer,
	},
	operatorGrant: {
		method: "POST",
		path: "/operator/servers/:server/credits/grant",
		access: "operator",
		summary: "Grant credits to a server; needs OPERATOR_WRITES",
		body: CreditChangeBody,
		response: Balance,
	},
	operatorHealth: {
		method: "GET",
		path: "/operator/health",
		access: "operator",
		summary: "Read the state of the media service, the queue, deliveries and the audit",
		response: schemas.OperatorHealth,
	},
	operatorChecks: {
		method: "POST",
		path: "/operator/checks",
		access: "operator",
		summary: "Run the checks of `atelier doctor` in this process",
		response: schemas.OperatorChecks,
	},
	operatorStudio: {
		method: "GET",
		path: "/operator/studio",
		access: "operator",
		summary: "List the accounts and keys of the built-in studio",
		response: schemas.OperatorStudio,
	},
	createStudioKey: {
		method: "POST",
		path: "/operator/studio/keys",
		access: "operator",
		summary: "Create a key of the studio, which is shown once; needs OPERATOR_WRITES",
		body: schemas.NewStudioKeyBody,
		response: schemas.CreatedStudioKey,
	},
	revokeStudioKey: {
		method: "DELETE",
		path: "/operator/studio/keys/:key",
		access: "operator",
		summary: "Revoke a key of the studio at once; needs OPERATOR_WRITES",
		response: schemas.OperatorStudio,
	},
} as const;
