/** The handler of each endpoint of the dashboard's API. */
import type { Handlers } from "../api-request.ts";
import { accountHandlers } from "./account.ts";
import { blockHandlers } from "./blocks.ts";
import { creditHandlers } from "./credits.ts";
import { directoryHandlers } from "./directory.ts";
import { jobHandlers } from "./jobs.ts";
import { memberHandlers } from "./members.ts";
import { overviewHandlers } from "./overview.ts";
import { reportHandlers } from "./reports.ts";
import { settingsHandlers } from "./settings.ts";
import { usageHandlers } from "./usage.ts";

export const handlers: Handlers = {
	...accountHandlers,
	...blockHandlers,
	...creditHandlers,
	...directoryHandlers,
	...jobHandlers,
	...memberHandlers,
	...overviewHandlers,
	...reportHandlers,
	...settingsHandlers,
	...usageHandlers,
};
