/** `/balance`: managers change the credits of their server. It is a command of its own, so that members are not offered it. */
import { CHANGE_CREDITS_MAX, REASON_CHARS_MAX, REASON_CHARS_MIN } from "@atelier/dashboard/limits";
import { byMember } from "../services/access/change-author.ts";
import { quote } from "../i18n/quote.ts";
import { integerOption, stringOption } from "./framework/command-options.ts";
import { defineCommandGroup, subcommand, type SlashInteraction } from "./framework/command.ts";
import { MANAGERS } from "./framework/invoking-member.ts";
import type { CommandServices } from "./command-services.ts";

const OPTIONS = [
	integerOption("amount", "option.amount", { required: true, min_value: 1, max_value: CHANGE_CREDITS_MAX }),
	stringOption("reason", "option.reason", {
		required: true,
		min_length: REASON_CHARS_MIN,
		max_length: REASON_CHARS_MAX,
	}),
];

export const balance = defineCommandGroup(
	"balance",
	[
		subcommand("grant", OPTIONS, (interaction, services) => changeCredits(interaction, services, "grant")),
		subcommand("revoke", OPTIONS, (interaction, services) => changeCredits(interaction, services, "revoke")),
	],
	{ audience: MANAGERS },
);

const CHANGED_KEYS = { grant: "credits.granted", revoke: "credits.revoked" } as const;

/** The interaction id makes the change idempotent. */
async function changeCredits(
	interaction: SlashInteraction,
	{ accounts, commandMentions, creditService, logger }: CommandServices,
	kind: keyof typeof CHANGED_KEYS,
): Promise<void> {
	const { id, guildId, locale, options, user } = interaction;
	// Grants this month's credits first, so that the balance in the reply includes them.
	await accounts.grantMonthlyCredits(guildId);
	const amountCredits = options.getInteger("amount", true);
	const reason = options.getString("reason", true);
	const change = { guildId, operationId: id, amountCredits, by: byMember(user.id), reason };
	const { availableCredits } = await creditService[kind](change);
	logger.info({ userId: user.id, kind, amountCredits }, "credits changed");
	const params = { amountCredits, availableCredits, reason: quote(reason, REASON_CHARS_MAX) };
	await interaction.editReply({ content: commandMentions.say(locale, { key: CHANGED_KEYS[kind], params }) });
}
