/** The handler of each endpoint of the dashboard's API. */
import type { Handlers } from "../api-request.ts";
import { accountHandlers } from "./account.ts";
import { apiKeyHandlers } from "./api-keys.ts";
import { blockHandlers } from "./blocks.ts";
import { creditHandlers } from "./credits.ts";
import { directoryHandlers } from "./directory.ts";
import { jobHandlers } from "./jobs.ts";
import { operatorServerHandlers } from "./operator-servers.ts";
import { operatorProcessHandlers } from "./operator-process.ts";
import { overviewHandlers } from "./overview.ts";
import { reportHandlers } from "./reports.ts";
import { settingsHandlers } from "./settings.ts";
import { usageHandlers } from "./usage.ts";

export const handlers: Handlers = {
	...accountHandlers,
	...apiKeyHandlers,
	...blockHandlers,
	...creditHandlers,
	...directoryHandlers,
	...jobHandlers,
	...operatorServerHandlers,
	...operatorProcessHandlers,
	...overviewHandlers,
	...reportHandlers,
	...settingsHandlers,
	...usageHandlers,
};
