import type { SeedGuild } from "./seed.ts";
import type { StoredMessage, MessageOrigin } from "./stored-message.ts";
import type { Modal } from "./modal.ts";
import type { Entitlement } from "./entitlement.ts";

/** A change of the simulator: the gateway reports it to the bot, the page to users. */
export type SimulatorEvent =
	| { readonly type: "messageCreate" | "messageUpdate" | "messageDelete"; readonly message: StoredMessage }
	| {
			readonly type: "entitlementCreate" | "entitlementUpdate" | "entitlementDelete";
			readonly entitlement: Entitlement;
	  }
	| { readonly type: "directChannel"; readonly channelId: string; readonly userId: string }
	| { readonly type: "commands" }
	| { readonly type: "presence"; readonly online: boolean }
	/** Members were changed by the admin API. */
	| { readonly type: "people" }
	/** The guild was changed by the admin API. */
	| { readonly type: "guild"; readonly server: SeedGuild }
	/** Guilds were added or removed. */
	| { readonly type: "servers"; readonly added: readonly SeedGuild[]; readonly gone: readonly SeedGuild[] }
	/** The bot joined or left a guild: whether it was and is a member. */
	| { readonly type: "bot"; readonly server: SeedGuild; readonly was: boolean; readonly is: boolean }
	| {
			readonly type: "interactionAnswered";
			readonly interactionId: string;
			readonly userId: string;
			/** The reply or the affected message; `null` without one. */
			readonly messageId: string | null;
			readonly modal: Modal | undefined;
	  }
	| {
			readonly type: "interactionFailed";
			readonly kind: MessageOrigin["kind"];
			readonly interactionId: string;
			readonly userId: string;
			readonly reason: string;
	  };

export interface SimulatorEvents {
	readonly emit: (event: SimulatorEvent) => void;
	/** Runs `work` and emits its events after it has returned; none if it throws. */
	readonly afterwards: <Result>(work: () => Result) => Result;
	/** Calls `listener` until the returned function is called. */
	readonly listen: (listener: (event: SimulatorEvent) => void) => () => void;
}

export function createSimulatorEvents(): SimulatorEvents {
	const listeners = new Set<(event: SimulatorEvent) => void>();
	let held: SimulatorEvent[] | undefined;
	const tell = (event: SimulatorEvent): void => {
		for (const listener of listeners) listener(event);
	};
	return {
		emit(event) {
			if (held) held.push(event);
			else tell(event);
		},
		afterwards(work) {
			if (held) return work();
			const emitted: SimulatorEvent[] = [];
			held = emitted;
			let result;
			try {
				result = work();
			} finally {
				held = undefined;
			}
			for (const event of emitted) tell(event);
			return result;
		},
		listen(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}
