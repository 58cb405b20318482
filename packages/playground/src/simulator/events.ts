import type { SeedServer } from "./seed.ts";
import type { StoredMessage, MessageOrigin } from "./stored-message.ts";
import type { Modal } from "./modal.ts";
import type { Entitlement } from "./entitlement.ts";

/** What changed in the world, for those who tell others of it: the gateway tells the bot, the page tells people. */
export type WorldEvent =
	| { readonly type: "messageCreate" | "messageUpdate" | "messageDelete"; readonly message: StoredMessage }
	| {
			readonly type: "entitlementCreate" | "entitlementUpdate" | "entitlementDelete";
			readonly entitlement: Entitlement;
	  }
	| { readonly type: "directChannel"; readonly channelId: string; readonly userId: string }
	| { readonly type: "commands" }
	| { readonly type: "presence"; readonly online: boolean }
	/** Who people are was changed by a switch. */
	| { readonly type: "people" }
	/** So was what a server is. */
	| { readonly type: "guild"; readonly server: SeedServer }
	/** There are more servers now, or fewer. */
	| { readonly type: "servers"; readonly added: readonly SeedServer[]; readonly gone: readonly SeedServer[] }
	/** The bot came into a server or left it: whether it was a member, and is. */
	| { readonly type: "bot"; readonly server: SeedServer; readonly was: boolean; readonly is: boolean }
	| {
			readonly type: "interactionAnswered";
			readonly interactionId: string;
			readonly userId: string;
			/** The reply, or the message that the answer is about; `null` where there is none. */
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

export interface WorldEvents {
	readonly emit: (event: WorldEvent) => void;
	/** Runs `work` and tells of what it emitted only once it has returned; of nothing, if it throws. */
	readonly afterwards: <Result>(work: () => Result) => Result;
	/** Listens until the returned function is called. */
	readonly listen: (listener: (event: WorldEvent) => void) => () => void;
}

export function createWorldEvents(): WorldEvents {
	const listeners = new Set<(event: WorldEvent) => void>();
	let held: WorldEvent[] | undefined;
	const tell = (event: WorldEvent): void => {
		for (const listener of listeners) listener(event);
	};
	return {
		emit(event) {
			if (held) held.push(event);
			else tell(event);
		},
		afterwards(work) {
			if (held) return work();
			const emitted: WorldEvent[] = [];
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
