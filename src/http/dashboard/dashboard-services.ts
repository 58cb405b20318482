import type { Services } from "../../app/create-services.ts";
import type { OperatorServices } from "./operator-services.ts";

/** The services of the bot that the dashboard's API calls: the same that its commands call. */
export interface DashboardServices extends Services {
	readonly operator: OperatorServices;
}
