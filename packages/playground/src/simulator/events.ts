import type { APIEntitlement } from "discord-api-types/v10";
import type { Guild, GuildChannel, MessageOrigin, Modal, StoredMessage, Thread } from "./documents.ts";

/** A change of the simulator: the gateway reports it to the bot, the page to users. */
export type SimulatorEvent =
	| { readonly type: "messageCreate" | "messageDelete"; readonly message: StoredMessage }
	| { readonly type: "messageUpdate"; readonly message: StoredMessage; readonly before: StoredMessage }
	| {
			readonly type: "entitlementCreate" | "entitlementUpdate" | "entitlementDelete";
			readonly entitlement: APIEntitlement;
	  }
	| {
			readonly type: "reactionAdd" | "reactionRemove";
			readonly target: StoredMessage;
			readonly emoji: string;
			readonly userId: string;
	  }
	| { readonly type: "reactionRemoveEmoji"; readonly target: StoredMessage; readonly emoji: string }
	| { readonly type: "reactionRemoveAll"; readonly target: StoredMessage }
	/** The bot and the user have a direct message channel from now on. */
	| { readonly type: "directChannel"; readonly userId: string }
	| { readonly type: "threadCreate" | "threadUpdate" | "threadDelete"; readonly thread: Thread }
	| {
			readonly type: "threadMembers";
			readonly thread: Thread;
			/** True if the thread has just started. */
			readonly isNew: boolean;
			readonly addedIds: readonly string[];
			readonly removedIds: readonly string[];
	  }
	/** The overwrites or the slow mode of the channel were changed by the bot or the admin API, or it was deleted. */
	| { readonly type: "channelUpdate" | "channelDelete"; readonly channel: GuildChannel }
	/** An admin set who may use a command. */
	| { readonly type: "commandPermissions"; readonly guildId: string; readonly commandId: string }
	/** The bot sees the channel again, which has threads. */
	| { readonly type: "threadSync"; readonly guildId: string; readonly channelId: string }
	| {
			readonly type: "pollVoteAdd" | "pollVoteRemove";
			readonly polled: StoredMessage;
			readonly answerId: number;
			readonly userId: string;
	  }
	| { readonly type: "webhooks"; readonly guildId: string; readonly channelId: string }
	/** A change that only the page shows: of commands, or of members by the admin API. */
	| { readonly type: "view" }
	| { readonly type: "presence"; readonly online: boolean }
	/** A member joined, left or was changed; a user was banned or unbanned. */
	| {
			readonly type: "memberAdd" | "memberUpdate" | "memberRemove" | "banAdd" | "banRemove";
			readonly guild: Guild;
			readonly userId: string;
	  }
	/** Messages of one channel were deleted at once. */
	| { readonly type: "messageDeleteBulk"; readonly removed: readonly StoredMessage[] }
	/** The permissions of a role were changed by the admin API. */
	| { readonly type: "role"; readonly guild: Guild; readonly roleId: string }
	/** The guild was changed by the admin API. */
	| { readonly type: "guild"; readonly guild: Guild }
	/** Guilds were added or removed. */
	| { readonly type: "guilds"; readonly added: readonly Guild[]; readonly removed: readonly Guild[] }
	/** The bot joined or left a guild: whether it was and is a member. */
	| { readonly type: "bot"; readonly guild: Guild; readonly wasMember: boolean; readonly isMember: boolean }
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

export function createSimulatorEvents() {
	const listeners = new Set<(event: SimulatorEvent) => void>();
	let buffer: SimulatorEvent[] | undefined;
	function emit(event: SimulatorEvent): void {
		if (buffer) buffer.push(event);
		else for (const listener of listeners) listener(event);
	}
	return {
		emit,
		/** Runs `work` and emits its events after it has returned; none if it throws. */
		emitAfter<Result>(work: () => Result): Result {
			if (buffer) return work();
			const emitted: SimulatorEvent[] = [];
			buffer = emitted;
			let result;
			try {
				result = work();
			} finally {
				buffer = undefined;
			}
			for (const event of emitted) emit(event);
			return result;
		},
		/** Calls `listener` until the returned function is called. */
		listen(listener: (event: SimulatorEvent) => void): () => void {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}
