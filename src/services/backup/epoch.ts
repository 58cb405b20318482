/**
 * Which past this installation goes on from. A store that was restored from a backup does not know what was spent, made and
 * shown since: its epoch is one higher, and until the operator has looked at that time nothing new is taken.
 *
 *     open -> restoring -> paused -> open
 *
 * `restoring` stands there while documents are replaced; nothing starts on such a store. A process that runs while that
 * happens beneath it holds books that are no longer true, and ends.
 */
import { commandHint } from "../../config/command-hint.ts";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startRounds } from "@atelier/common/intervals";
import type { Store } from "@atelier/store/store";
import { StoreNotUsable } from "@atelier/store/store-errors";

export const EPOCH_KEY = "installation:epoch";

export interface EpochRecord {
	readonly epoch: number;
	readonly state: "open" | "restoring" | "paused";
	/** The time that is missing: from the backup to the restoring of it. */
	readonly missing?: { readonly fromMs: number; readonly untilMs: number };
}

const FIRST: EpochRecord = { epoch: 0, state: "open" };
const WATCH_EVERY_MS = 5_000;

/** What a running process knows of it. */
export interface Epoch {
	/** Whether nothing new may be taken, because the operator has not looked at what is missing yet. */
	isPaused(): boolean;
	stop(): Promise<void>;
}

interface EpochDeps {
	readonly store: Pick<Store, "get">;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly onLost: (reason: string) => void;
}

export async function readEpoch(store: Pick<Store, "get">): Promise<EpochRecord> {
	return (await store.get<EpochRecord>(EPOCH_KEY))?.value ?? FIRST;
}

/** Throws a `StoreNotUsable` where a restore was cut short. */
export async function watchEpoch({ store, clock, logger, onLost }: EpochDeps): Promise<Epoch> {
	let record = await readEpoch(store);
	if (record.state === "restoring") {
		throw new StoreNotUsable(
			`The store is being restored from a backup, or that was cut short: run ${commandHint("restore")}.`,
		);
	}
	if (record.state === "paused") {
		logger.warn(`NOTHING NEW IS TAKEN: the store was restored from a backup; see ${commandHint("restore --help")}`);
	}

	async function round(over: AbortSignal): Promise<void> {
		const found = await readEpoch(store).catch(() => undefined);
		// A store that is away says so wherever it is asked for something that matters.
		if (!found || over.aborted) return;
		if (found.epoch !== record.epoch || found.state === "restoring") {
			onLost("the store was restored from a backup beneath this process.");
		} else if (found.state !== record.state) {
			logger.info({ state: found.state }, "new tasks are taken again");
		}
		record = found;
	}

	const stop = startRounds({ clock, everyMs: WATCH_EVERY_MS, round });
	return { isPaused: () => record.state === "paused", stop };
}
