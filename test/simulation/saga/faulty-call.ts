import type { EventQueue } from "../event-queue.ts";
import type { ProcessState } from "../faulty-disk.ts";
import type { Random } from "../random.ts";

/** Probabilities of faults, per call of one service. */
export interface CallRates {
	/** The request does not arrive, and the caller gets an error. */
	readonly notReached: number;
	/** The request may or may not arrive; the caller times out. */
	readonly silence: number;
	/** The server responds with an error, before or after the effect. */
	readonly broken: number;
	readonly crashBefore: number;
	readonly crashAfter: number;
	/** The call takes so long that others overtake it. */
	readonly slow: number;
}

/** A fault between a process and a service, as the adapter reports it. */
interface CallFaults {
	readonly notReached: () => Error;
	readonly timeout: () => Error;
	readonly broken: () => Error;
}

/** Calls a service; `act` is the effect of the request there. */
export type FaultyCall = <T>(
	processState: ProcessState,
	act: () => T,
	faults: CallFaults,
	signal?: AbortSignal,
) => Promise<T>;

interface FaultyCallDeps {
	readonly queue: EventQueue;
	readonly random: Random;
	readonly rates: CallRates;
	readonly isHealed: () => boolean;
	/** The timeout of the caller. */
	readonly timeoutMs: number;
}

const CALL_MS_MAX = 300;
const SLOW_MS_MAX = 12_000;

export function createFaultyCall({ queue, random, rates, isHealed, timeoutMs }: FaultyCallDeps): FaultyCall {
	const happens = (rate: number): boolean => !isHealed() && random.chance(rate);
	const delay = (): number => random.between(1, happens(rates.slow) ? SLOW_MS_MAX : CALL_MS_MAX);

	return (processState, act, faults, signal) => {
		return new Promise((resolve, reject) => {
			let isNotified = false;
			const tell = (answer: () => void): void => {
				if (processState.dead || isNotified) return;
				isNotified = true;
				signal?.removeEventListener("abort", giveUp);
				answer();
			};
			const giveUp = (): void => tell(() => reject(signal?.reason));
			signal?.addEventListener("abort", giveUp, { once: true });
			queue.plan(timeoutMs, () => tell(() => reject(faults.timeout())));
			if (happens(rates.notReached)) return queue.plan(delay(), () => tell(() => reject(faults.notReached())));
			const isSilent = happens(rates.silence);
			if (isSilent && random.chance(0.5)) return undefined;
			return queue.plan(delay(), () => {
				// A request that a process sent before it died arrives or is lost.
				if (processState.dead && random.chance(0.5)) return;
				if (!processState.dead && happens(rates.crashBefore)) return processState.crash();
				if (happens(rates.broken)) {
					if (random.chance(0.5)) attempt(act);
					return tell(() => reject(faults.broken()));
				}
				const outcome = attempt(act);
				if (processState.dead || isSilent) return;
				if (happens(rates.crashAfter)) return processState.crash();
				queue.plan(delay(), () =>
					tell(() => {
						if ("error" in outcome) reject(outcome.error);
						else resolve(outcome.value);
					}),
				);
			});
		});
	};
}

function attempt<T>(act: () => T): { readonly value: T } | { readonly error: unknown } {
	try {
		return { value: act() };
	} catch (error) {
		return { error };
	}
}
