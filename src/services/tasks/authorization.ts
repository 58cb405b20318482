import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { requireCredits, type CreditCheckDeps } from "../credits/credit-check.ts";
import type { PaymentPlan } from "../credits/guild-accounts.ts";
import type { GenerationRequest } from "../generation/request.ts";
import { UserError } from "../user-error.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import type { MemberWithRoles } from "../access/member.ts";
import { readAgeRestriction, type ChannelDirectory, type RequestChannel } from "../access/request-channel.ts";
import type { PromptReviewer } from "../moderation/prompt-reviewer.ts";
import { denialReason } from "../settings/server-policy.ts";

/** A member's attempt to generate something in a channel. */
interface GenerationAttempt extends MemberWithRoles {
	readonly request: GenerationRequest;
	readonly channel: RequestChannel;
}

/**
 * Authorizes every generation, from commands, buttons and menus. Resolves to the limits that apply to the payment. Throws a `UserError`
 * with the reason of a denial.
 */
export type Authorize = (attempt: GenerationAttempt, logger: Logger) => Promise<PaymentPlan>;

interface AuthorizationDeps extends CreditCheckDeps {
	readonly settings: Pick<SettingsStore, "read">;
	readonly channels: Pick<ChannelDirectory, "isAgeRestricted">;
	/** Called after the other checks, because only this check sends the prompt to another service. */
	readonly promptReviewer: PromptReviewer | undefined;
	/** True from a restore until the operator confirms it. */
	readonly isPausedAfterRestore: () => boolean;
	readonly clock: Clock;
}

export function createAuthorization(deps: AuthorizationDeps): Authorize {
	const { settings, channels, promptReviewer, isPausedAfterRestore, clock } = deps;
	return async ({ guildId, userId, roleIds, request, channel }, logger) => {
		const member = { guildId, userId, roleIds };
		if (isPausedAfterRestore()) throw new UserError({ key: "service.pausedAfterRestore" });
		// Only requests that need an age-restricted channel depend on it.
		const isAgeRestricted = request.needsAgeRestrictedChannel === true && (await readAgeRestriction(channel, channels));
		const guildSettings = await settings.read(guildId);
		const denial = denialReason(guildSettings, request, member, { ...channel, isAgeRestricted }, clock.nowMs());
		if (denial) throw new UserError(denial);
		const paymentPlan = await requireCredits(deps, member, request, logger);
		if (!promptReviewer) return paymentPlan;
		const reviewContext = {
			rules: guildSettings.safety,
			isChannelAgeRestricted: () => readAgeRestriction(channel, channels),
		};
		const promptDenial = await promptReviewer.review({ guildId, userId, request }, reviewContext, logger);
		if (promptDenial) throw new UserError(promptDenial);
		// The limits may have changed during the review.
		return await requireCredits(deps, member, request, logger);
	};
}
