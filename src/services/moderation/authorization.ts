import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { GenerationRequest } from "../generation/request.ts";
import { UserError } from "../user-error.ts";
import type { GuildSettingsStore } from "../settings/guild-settings.ts";
import type { Moderation } from "./moderation.ts";
import { denialReason } from "./policy.ts";

/** The channel of an interaction. */
export interface ChannelContext {
	readonly channelId: string;
	/** The parent channel of a thread. */
	readonly parentId: string | null;
	/** `undefined` if the interaction omits it, as for threads. */
	readonly isAgeRestricted: boolean | undefined;
}

/** The channel; for a thread, also its parent. */
export function channelIdsOf({ channelId, parentId }: ChannelContext): readonly string[] {
	return parentId === null ? [channelId] : [channelId, parentId];
}

/** Looks up channels at Discord. Returns false for unknown channels. */
export interface ChannelDirectory {
	/** Pass the parent channel for a thread. */
	isAgeRestricted(channelId: string): Promise<boolean>;
	isInGuild(guildId: string, channelId: string): Promise<boolean>;
}

/** A member's attempt to generate something in a channel. */
interface GenerationAttempt {
	readonly guildId: string;
	readonly userId: string;
	readonly roleIds: readonly string[];
	readonly request: GenerationRequest;
	readonly channel: ChannelContext;
}

/** Authorizes every generation, from commands, buttons and menus. Throws `UserError` with the reason of a denial. */
export interface Authorization {
	authorize(attempt: GenerationAttempt, logger: Logger): Promise<void>;
}

interface AuthorizationDeps {
	readonly settings: Pick<GuildSettingsStore, "read">;
	readonly channels: Pick<ChannelDirectory, "isAgeRestricted">;
	/** Called last, because it is the only check that sends a request to a service. */
	readonly moderation: Pick<Moderation, "reviewPrompt"> | undefined;
	/** True from a restore until the operator confirms it. */
	readonly isPaused: () => boolean;
	/** Denies unaffordable requests. */
	readonly credits: Authorization;
	readonly clock: Clock;
}

export function createAuthorization({
	settings,
	channels,
	moderation,
	isPaused,
	credits,
	clock,
}: AuthorizationDeps): Authorization {
	/** Asks Discord only in a thread. */
	async function isAgeRestricted({ channelId, parentId, isAgeRestricted: known }: ChannelContext): Promise<boolean> {
		return known ?? (await channels.isAgeRestricted(parentId ?? channelId));
	}

	return {
		async authorize(attempt, logger) {
			const { guildId, userId, roleIds, request, channel } = attempt;
			if (isPaused()) throw new UserError({ key: "service.pausedAfterRestore" });
			const requestChannel = {
				channelIds: channelIdsOf(channel),
				isAgeRestricted: request.isAgeRestricted === true && (await isAgeRestricted(channel)),
			};
			const guildSettings = await settings.read(guildId);
			const denial = denialReason(guildSettings, request, { userId, roleIds }, requestChannel, clock.nowMs());
			if (denial) throw new UserError(denial);
			await credits.authorize(attempt, logger);
			const moderationContext = { rules: guildSettings.safety, isChannelAgeRestricted: () => isAgeRestricted(channel) };
			const promptDenial = await moderation?.reviewPrompt({ guildId, userId, request }, moderationContext, logger);
			if (promptDenial) throw new UserError(promptDenial);
		},
	};
}
