import { MEDIA_TYPES } from "../services/generation/model.ts";
import { costOf, defaultsOf } from "../services/generation/order.ts";
import type { GuildStanding, LimitLeft } from "../services/guilds/guild-accounts.ts";
import { say, type Saying } from "../services/messages/messages.ts";
import { toTimestampS } from "../services/messages/timestamp.ts";
import type { Command } from "./command.ts";
import { roleIdsOf } from "./member.ts";

/** Grants that expire and are named; whoever has more of them sees the soonest. */
const EXPIRING_SHOWN = 3;

export const showCredits: Command["execute"] = async (interaction, { accounts, catalogue }) => {
	const { guildId, user, locale } = interaction;
	const standing = await accounts.standing({ guildId, userId: user.id, roleIds: roleIdsOf(interaction) });
	const { balance, member, media, server, monthlyCredits, refillsAtMs } = standing;
	const { availableCredits, heldCredits } = balance;

	const lines: Saying[] = [{ key: "creditsBalance", params: { availableCredits, heldCredits } }];
	for (const { credits, expiresAtMs } of balance.expiring.slice(0, EXPIRING_SHOWN)) {
		lines.push({ key: "creditsExpire", params: { credits, expiresAtS: toTimestampS(expiresAtMs) } });
	}
	if (refillsAtMs !== null) {
		lines.push({ key: "creditsRefill", params: { monthlyCredits, refillsAtS: toTimestampS(refillsAtMs) } });
	}
	if (server) lines.push({ key: "creditsServerLimit", params: shown(server) });
	lines.push(mineOf(standing));
	for (const [mediaType, limit] of member?.credits === 0 ? [] : media) {
		lines.push(
			limit.credits === 0
				? { key: "creditsMineNoMedium", params: { mediaType } }
				: { key: "creditsMineMedium", params: { ...shown(limit), mediaType } },
		);
	}
	for (const command of MEDIA_TYPES) {
		const [model] = catalogue.known(command);
		if (!model) continue;
		const costCredits = costOf(model, defaultsOf(model));
		lines.push({ key: "creditsPrice", params: { command, model: model.name, costCredits } });
	}
	await interaction.editReply({ content: lines.map((line) => say(locale, line)).join("\n") });
};

function mineOf({ member, media }: GuildStanding): Saying {
	if (!member) return { key: media.size === 0 ? "creditsMineUnlimited" : "creditsMineWithin" };
	return member.credits === 0 ? { key: "creditsMineNone" } : { key: "creditsMine", params: shown(member) };
}

function shown({ leftCredits, credits: limitCredits, per, resetsAtMs }: LimitLeft) {
	return { leftCredits, limitCredits, per, resetsAtS: toTimestampS(resetsAtMs) };
}
