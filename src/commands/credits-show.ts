import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { costOf, defaultsOf, makesNew } from "../services/generation/request.ts";
import { formatBalance, formatMemberLimits, limitParams } from "../services/credits/format-balance.ts";
import { t, type MessageRef } from "../i18n/messages.ts";
import { quoteName } from "../i18n/quote.ts";
import { toTimestampS } from "../i18n/timestamp.ts";
import { createTopUpOffer } from "../services/entitlements/top-up-service.ts";
import { topUpRow } from "../discord/top-up-buttons.ts";
import type { TopUpService } from "../services/entitlements/top-up-service.ts";
import type { GuildAccounts } from "../services/credits/guild-accounts.ts";
import type { ModelCatalog } from "../services/generation/model-catalog.ts";
import type { Subcommand } from "./command.ts";
import { roleIdsOf } from "./member.ts";

/** The reply names the grants that expire first. */
const EXPIRING_SHOWN = 3;

export interface BalanceDeps {
	readonly accounts: Pick<GuildAccounts, "readBalance">;
	readonly catalog: Pick<ModelCatalog, "known">;
	readonly topUp: Pick<TopUpService, "offered">;
}

export const showCredits: Subcommand<BalanceDeps> = async (interaction, { accounts, catalog, topUp }) => {
	const { guildId, user, locale } = interaction;
	const status = await accounts.readBalance({ guildId, userId: user.id, roleIds: roleIdsOf(interaction) });
	const { balance, server } = status;

	const [available, ...refill] = formatBalance(status);
	const lines: MessageRef[] = available ? [available] : [];
	for (const { credits, expiresAtMs } of balance.expiring.slice(0, EXPIRING_SHOWN)) {
		lines.push({ key: "creditsExpire", params: { credits, expiresAtS: toTimestampS(expiresAtMs) } });
	}
	lines.push(...refill);
	if (server) lines.push({ key: "creditsServerLimit", params: limitParams(server) });
	lines.push(...formatMemberLimits(status));
	for (const command of MEDIA_TYPES) {
		const model = catalog.known(command).find(makesNew);
		if (!model) continue;
		const costCredits = costOf(model, defaultsOf(model));
		lines.push({ key: "creditsPrice", params: { command, model: quoteName(model.name), costCredits } });
	}
	const offer = createTopUpOffer(topUp, locale);
	if (offer) {
		const itemCredits = topUp.offered().map(({ credits }) => credits);
		lines.push({ key: "topUpOffer", params: { itemCredits, button: offer.redeemLabel } });
	}
	await interaction.editReply({
		content: lines.map((line) => t(locale, line)).join("\n"),
		...(offer && { components: [topUpRow(offer)] }),
	});
};
