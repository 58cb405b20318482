import type { SeedGuild } from "./seed.ts";
import type { Entitlement, MessageOrigin, Modal, StoredMessage } from "./documents.ts";

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
	| { readonly type: "members" }
	/** The guild was changed by the admin API. */
	| { readonly type: "guild"; readonly guild: SeedGuild }
	/** Guilds were added or removed. */
	| { readonly type: "guilds"; readonly added: readonly SeedGuild[]; readonly removed: readonly SeedGuild[] }
	/** The bot joined or left a guild: whether it was and is a member. */
	| { readonly type: "bot"; readonly guild: SeedGuild; readonly wasMember: boolean; readonly isMember: boolean }
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
	readonly emitAfter: <Result>(work: () => Result) => Result;
	/** Calls `listener` until the returned function is called. */
	readonly listen: (listener: (event: SimulatorEvent) => void) => () => void;
}

export function createSimulatorEvents(): SimulatorEvents {
	const listeners = new Set<(event: SimulatorEvent) => void>();
	let buffer: SimulatorEvent[] | undefined;
	const notify = (event: SimulatorEvent): void => {
		for (const listener of listeners) listener(event);
	};
	return {
		emit(event) {
			if (buffer) buffer.push(event);
			else notify(event);
		},
		emitAfter(work) {
			if (buffer) return work();
			const emitted: SimulatorEvent[] = [];
			buffer = emitted;
			let result;
			try {
				result = work();
			} finally {
				buffer = undefined;
			}
			for (const event of emitted) notify(event);
			return result;
		},
		listen(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}
