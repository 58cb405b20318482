import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { CreditCheck } from "../credits/credit-check.ts";
import type { PaymentPlan } from "../credits/guild-accounts.ts";
import type { GenerationRequest } from "../generation/request.ts";
import { UserError } from "../user-error.ts";
import type { GuildSettingsStore } from "../settings/guild-settings.ts";
import type { Moderation } from "../moderation/moderation.ts";
import { denialReason } from "../moderation/policy.ts";

/** The channel of an interaction. */
export interface ChannelContext {
	readonly channelId: string;
	/** The parent channel of a thread. */
	readonly parentId: string | null;
	/** `undefined` in threads, for which interactions omit it. */
	readonly isAgeRestricted: boolean | undefined;
}

/** The channel; for a thread, also its parent. */
export function channelIdsOf({ channelId, parentId }: ChannelContext): readonly string[] {
	return parentId === null ? [channelId] : [channelId, parentId];
}

/** Reads channels from Discord. Resolves to `false` for unknown channels. */
export interface ChannelDirectory {
	/** For a thread: whether its parent channel is age-restricted. */
	isAgeRestricted(channelId: string): Promise<boolean>;
	isInGuild(guildId: string, channelId: string): Promise<boolean>;
}

/** Asks Discord only in a thread. */
export async function readAgeRestriction(
	{ channelId, parentId, isAgeRestricted }: ChannelContext,
	channels: Pick<ChannelDirectory, "isAgeRestricted">,
): Promise<boolean> {
	return isAgeRestricted ?? (await channels.isAgeRestricted(parentId ?? channelId));
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
	/** Resolves to the limits that apply to the payment. */
	authorize(attempt: GenerationAttempt, logger: Logger): Promise<PaymentPlan>;
}

interface AuthorizationDeps {
	readonly settings: Pick<GuildSettingsStore, "read">;
	readonly channels: Pick<ChannelDirectory, "isAgeRestricted">;
	/** Called after the other checks, because only this check sends the prompt to another service. */
	readonly moderation: Pick<Moderation, "reviewPrompt"> | undefined;
	/** True from a restore until the operator confirms it. */
	readonly isPausedAfterRestore: () => boolean;
	readonly creditCheck: CreditCheck;
	readonly clock: Clock;
}

export function createAuthorization({
	settings,
	channels,
	moderation,
	isPausedAfterRestore,
	creditCheck,
	clock,
}: AuthorizationDeps): Authorization {
	return {
		async authorize(attempt, logger) {
			const { guildId, userId, roleIds, request, channel } = attempt;
			if (isPausedAfterRestore()) throw new UserError({ key: "service.pausedAfterRestore" });
			const requestChannel = {
				channelIds: channelIdsOf(channel),
				// Only requests that need an age-restricted channel depend on it.
				isAgeRestricted: request.needsAgeRestrictedChannel === true && (await readAgeRestriction(channel, channels)),
			};
			const guildSettings = await settings.read(guildId);
			const denial = denialReason(guildSettings, request, { userId, roleIds }, requestChannel, clock.nowMs());
			if (denial) throw new UserError(denial);
			const requireCredits = () => creditCheck.requireCredits({ guildId, userId, roleIds }, request, logger);
			const paymentPlan = await requireCredits();
			if (!moderation) return paymentPlan;
			const moderationContext = {
				rules: guildSettings.safety,
				isChannelAgeRestricted: () => readAgeRestriction(channel, channels),
			};
			const promptDenial = await moderation.reviewPrompt({ guildId, userId, request }, moderationContext, logger);
			if (promptDenial) throw new UserError(promptDenial);
			// The limits may have changed during the review.
			return await requireCredits();
		},
	};
}
