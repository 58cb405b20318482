import { isLeaseRenewed } from "@atelier/studio/host/studio-lease";
import { createKeyvStore } from "@atelier/store/keyv-store";
import type { KvAdapter } from "@atelier/store/kv-adapter";
import { lockStore, StoreInUseError } from "@atelier/store/store-lock";
import type { Config } from "../config/load-config.ts";
import { isRunning, originOf } from "../http/health-probe.ts";
import type { CliContext } from "./cli-context.ts";

/**
 * Locks the store for a command beside which no bot and no studio may run. Throws a `StoreInUseError` if one uses the store. On a
 * server, a bot on another machine cannot be detected.
 */
export async function lockForExclusiveUse(
	config: Config,
	storage: KvAdapter,
	{ clock }: Pick<CliContext, "clock">,
): Promise<Disposable> {
	using locks = new DisposableStack();
	try {
		for (const user of ["bot", "studio"] as const) locks.use(lockStore(config.STORE_URL, user));
		if (!config.STORE_URL.startsWith("sqlite:")) {
			if (await isRunning(config)) throw new StoreInUseError(`Atelier runs at ${originOf(config)}. Stop it first.`);
			if (await isLeaseRenewed({ store: createKeyvStore(storage), clock }))
				throw new StoreInUseError("a studio renews its lease on the store. Stop it first, on each machine.");
		}
	} catch (cause) {
		if (!(cause instanceof StoreInUseError)) throw cause;
		throw new StoreInUseError(`Not possible: ${cause.message} Nothing was changed.`, { cause });
	}
	return locks.move();
}
