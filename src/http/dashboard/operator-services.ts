import type { z } from "zod";
import type { KEY_STATES, OperatorChecks, OperatorHealth } from "@atelier/dashboard/schemas/operator";
import type { Store } from "@atelier/store/store";
import type { ServerNames } from "../../services/operator/server-names.ts";

/** A key of the studio without its text. */
export interface StudioKey {
	readonly id: string;
	readonly name: string;
	readonly state: (typeof KEY_STATES)[number];
	readonly createdAtMs: number;
	readonly expiresAtMs: number | null;
}

interface StudioAccount {
	readonly account: string;
	readonly createdAtMs: number;
	readonly availableCredits: number;
	readonly heldCredits: number;
	readonly isInternal: boolean;
	readonly keys: readonly StudioKey[];
}

/** Manages the accounts and keys of the studio in this process. */
export interface StudioAdmin {
	list(): Promise<{ readonly accounts: readonly StudioAccount[]; readonly isTruncated: boolean }>;
	/** Resolves to the key, which is not shown again. Denies the account of the bot. */
	createKey(account: string, name: string): Promise<{ readonly key: string; readonly id: string }>;
	/** Denies the key of the bot, which would fail until its next start. */
	revokeKey(id: string): Promise<void>;
}

/** The services of the operator's pages. */
export interface OperatorServices {
	/** Discord's ids of the operators. */
	readonly ids: ReadonlySet<string>;
	/** False: operators only read. */
	readonly mayWrite: boolean;
	readonly store: Pick<Store, "scan" | "get">;
	readonly serverNames: ServerNames;
	readonly health: () => Promise<z.infer<typeof OperatorHealth>>;
	/** Concurrent callers share one run. */
	readonly runChecks: () => Promise<z.infer<typeof OperatorChecks>>;
	/** `undefined` if another media service is configured. */
	readonly studioAdmin: StudioAdmin | undefined;
}
