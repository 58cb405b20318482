/** The handler of each endpoint of the dashboard's API. */
import type { Handlers } from "../api-request.ts";
import { accountHandlers } from "./account.ts";
import { apiKeyHandlers } from "./api-keys.ts";
import { blockHandlers } from "./blocks.ts";
import { creditHandlers } from "./credits.ts";
import { directoryHandlers } from "./directory.ts";
import { jobHandlers } from "./jobs.ts";
import { memberHandlers } from "./members.ts";
import { operatorHealthHandlers } from "./operator-health.ts";
import { operatorServerHandlers } from "./operator-servers.ts";
import { operatorStudioHandlers } from "./operator-studio.ts";
import { overviewHandlers } from "./overview.ts";
import { reportHandlers } from "./reports.ts";
import { resultHandlers } from "./results.ts";
import { settingsHandlers } from "./settings.ts";
import { settingsImportHandlers } from "./settings-import.ts";
import { usageHandlers } from "./usage.ts";

export const handlers: Handlers = {
	...accountHandlers,
	...apiKeyHandlers,
	...blockHandlers,
	...creditHandlers,
	...directoryHandlers,
	...jobHandlers,
	...memberHandlers,
	...operatorHealthHandlers,
	...operatorServerHandlers,
	...operatorStudioHandlers,
	...overviewHandlers,
	...reportHandlers,
	...resultHandlers,
	...settingsHandlers,
	...settingsImportHandlers,
	...usageHandlers,
};
