import type { EventQueue } from "../event-queue.ts";
import type { ProcessState } from "../faulty-disk.ts";
import type { Random } from "../random.ts";

/** Probabilities of faults, per call of one service. */
export interface CallRates {
	/** The request does not arrive, and the caller gets an error. */
	readonly unreachable: number;
	/** The request may or may not arrive; the caller times out. */
	readonly noResponse: number;
	/** The server responds with an error, before or after the effect. */
	readonly serverError: number;
	readonly crashBefore: number;
	readonly crashAfter: number;
	/** The call takes so long that others overtake it. */
	readonly slow: number;
}

/** A fault between a process and a service, as the adapter reports it. */
interface CallFaults {
	readonly unreachable: () => Error;
	readonly timeout: () => Error;
	readonly serverError: () => Error;
}

/** Calls a service. `effect` runs when the request arrives there. */
export type FaultyCall = <T>(
	processState: ProcessState,
	effect: () => T,
	faults: CallFaults,
	signal?: AbortSignal,
) => Promise<T>;

interface FaultyCallDeps {
	readonly queue: EventQueue;
	readonly random: Random;
	readonly rates: CallRates;
	readonly haveFaultsEnded: () => boolean;
	/** The timeout of the caller. */
	readonly timeoutMs: number;
}

const CALL_MS_MAX = 300;
const SLOW_MS_MAX = 12_000;

export function createFaultyCall({ queue, random, rates, haveFaultsEnded, timeoutMs }: FaultyCallDeps): FaultyCall {
	const happens = (rate: number): boolean => !haveFaultsEnded() && random.chance(rate);
	const delay = (): number => random.between(1, happens(rates.slow) ? SLOW_MS_MAX : CALL_MS_MAX);

	return (processState, effect, faults, signal) => {
		return new Promise((resolve, reject) => {
			let hasResponded = false;
			const respondOnce = (respond: () => void): void => {
				if (processState.isDead || hasResponded) return;
				hasResponded = true;
				signal?.removeEventListener("abort", giveUp);
				respond();
			};
			const giveUp = (): void => respondOnce(() => reject(signal?.reason));
			signal?.addEventListener("abort", giveUp, { once: true });
			queue.plan(timeoutMs, () => respondOnce(() => reject(faults.timeout())));
			if (happens(rates.unreachable)) return queue.plan(delay(), () => respondOnce(() => reject(faults.unreachable())));
			const isSilent = happens(rates.noResponse);
			if (isSilent && random.chance(0.5)) return undefined;
			return queue.plan(delay(), () => {
				// A request that a process sent before it died arrives or is lost.
				if (processState.isDead && random.chance(0.5)) return;
				if (!processState.isDead && happens(rates.crashBefore)) return processState.crash();
				if (happens(rates.serverError)) {
					if (random.chance(0.5)) attempt(effect);
					return respondOnce(() => reject(faults.serverError()));
				}
				const outcome = attempt(effect);
				if (processState.isDead || isSilent) return;
				if (happens(rates.crashAfter)) return processState.crash();
				queue.plan(delay(), () =>
					respondOnce(() => {
						if ("error" in outcome) reject(outcome.error);
						else resolve(outcome.value);
					}),
				);
			});
		});
	};
}

function attempt<T>(effect: () => T): { readonly value: T } | { readonly error: unknown } {
	try {
		return { value: effect() };
	} catch (error) {
		return { error };
	}
}
