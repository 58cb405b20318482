import type { OperatorChecks, OperatorHealth, OperatorStudio } from "@atelier/dashboard/schemas/operator";
import type { Store } from "@atelier/store/store";
import type { ServerNames } from "../../services/operator/server-names.ts";
import type { DeepReadonly } from "@atelier/common/deep-readonly";

/** Manages the accounts and keys of the studio in this process. */
export interface StudioAdmin {
	list(): Promise<OperatorStudio["accounts"]>;
	/** Resolves to the key, which is not shown again. Throws a `UserError` for the account of the bot. */
	createKey(account: string, name: string): Promise<{ readonly key: string; readonly id: string }>;
	/** Throws a `UserError` for the key of the bot, which would fail until its next start. */
	revokeKey(id: string): Promise<void>;
}

export interface OperatorServices {
	/** Discord's ids of the operators. */
	readonly ids: ReadonlySet<string>;
	/** False: operators only read. */
	readonly mayWrite: boolean;
	readonly store: Pick<Store, "scan" | "get">;
	readonly serverNames: ServerNames;
	readonly health: () => Promise<DeepReadonly<OperatorHealth>>;
	/** Concurrent callers share one run. */
	readonly runChecks: () => Promise<DeepReadonly<OperatorChecks>>;
	/** `undefined` if another media service is configured. */
	readonly studioAdmin: StudioAdmin | undefined;
}
