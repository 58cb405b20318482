import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Ledger } from "@atelier/ledger/ledger";
import type { Store } from "@atelier/store/store";
import type { StudioLimits } from "./limits.ts";
import type { StudioTaskStore } from "./studio-task-store.ts";

/** The shared dependencies of the parts of a studio. */
export interface StudioContext {
	readonly store: Store;
	readonly taskStore: StudioTaskStore;
	readonly ledger: Ledger;
	readonly limits: StudioLimits;
	readonly clock: Clock;
	readonly logger: Logger;
}
