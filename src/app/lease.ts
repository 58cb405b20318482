/**
 * A studio without a queue takes itself for the only one on its store: a second one would begin anew what the first one works
 * on. So who is there says so in the store every few seconds. A second one is refused; one that follows a crash first waits
 * until it is certain that nobody is there any more, which on one machine it can see at once. No clock is compared with that of
 * another machine.
 */
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { ConfigError } from "../config/config-error.ts";
import type { Store } from "@atelier/store/store";
import { hasEnded, type Residence } from "./process-identity.ts";

const KEY = "studio-sole";
const SIGN_EVERY_MS = 2_000;
/** Who has been silent for so long is gone. */
const SILENT_MS = 10_000;

interface SoleStudioDeps {
	readonly store: Store;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly newId: () => string;
	readonly residence: Residence | undefined;
	/** Another one took this one for dead, because it stood still for too long: it has to stop. */
	readonly onLost: (reason: string) => void;
}

interface Sign {
	readonly studio: string;
	readonly count: number;
	readonly residence?: Residence;
}

/** A place that one process has. */
export interface SolePlace {
	/** Whether the store has heard lately that this one is there: later, another one may have taken over. */
	isHeld(): boolean;
	/** Leaves the store to the next one. */
	leave(): Promise<void>;
}

/** Rejects where another studio is there. */
export async function beSoleStudio(deps: SoleStudioDeps): Promise<SolePlace> {
	const { store, clock } = deps;
	const studio = deps.newId();
	const me = { studio, ...(deps.residence && { residence: deps.residence }) };
	let raw = await claim(deps, { ...me, count: 0 });
	let givenAtMs = clock.nowMs();
	let isLost = false;
	const leaving = new AbortController();

	/** `undefined` where somebody else is there now. */
	async function give(sign: Sign): Promise<string | undefined> {
		const written = await store.compareAndSet(KEY, raw, sign);
		return written ?? (await ownRaw());
	}

	/** What stands there, where it is ours: of a write whose answer was lost too. */
	async function ownRaw(): Promise<string | undefined> {
		const found = await store.get<Sign>(KEY);
		return found?.value.studio === studio ? found.raw : undefined;
	}

	async function keepGiving(): Promise<void> {
		for (let count = 1; await pause(); count++) {
			try {
				const given = await give({ ...me, count });
				if (given === undefined) {
					isLost = true;
					return deps.onLost("another studio has taken this store over");
				}
				raw = given;
				givenAtMs = clock.nowMs();
			} catch (error) {
				// Nobody else reaches the store either, or has taken it over when it is back.
				deps.logger.warn({ err: error }, "the store does not hear that this studio is there");
			}
		}
	}

	/** False when it is time to leave. */
	function pause(): Promise<boolean> {
		return clock.sleep(SIGN_EVERY_MS, leaving.signal).then(
			() => true,
			() => false,
		);
	}

	const giving = keepGiving();
	return {
		isHeld: () => !isLost && !leaving.signal.aborted && clock.nowMs() - givenAtMs < SILENT_MS,
		async leave() {
			leaving.abort(new Error("the studio leaves"));
			await giving;
			try {
				if ((await ownRaw()) !== undefined) await store.delete(KEY);
			} catch (error) {
				// Then the next one waits as after a crash.
				deps.logger.warn({ err: error }, "the store does not hear that this studio leaves");
			}
		},
	};
}

async function claim({ store, clock, logger, residence }: SoleStudioDeps, mine: Sign): Promise<string> {
	const before = await store.get<Sign>(KEY);
	if (before && !hasEnded(before.value.residence, residence)) {
		logger.warn({ waitMs: SILENT_MS }, "a studio has not left this store: waiting to hear whether it is still there");
		await clock.sleep(SILENT_MS);
	}
	const now = before && (await store.get<Sign>(KEY));
	const isSilent = now?.raw === before?.raw || now === undefined;
	const raw = isSilent ? await store.compareAndSet(KEY, now?.raw, mine) : undefined;
	if (raw !== undefined) return raw;
	throw new ConfigError(
		[
			"Cannot start: another studio works on this store. Stop it, or give both the same QUEUE_URL (redis://…).",
			"A bot has a studio of its own unless MEDIA_API_URL and MEDIA_API_KEY name another one: it can use this one so.",
		].join("\n"),
	);
}
