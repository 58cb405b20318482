/** `/block`, `/unblock` and `/blocks`: moderators stop members from generating in this server. */
import { MessageFlags, PermissionFlagsBits } from "discord.js";
import { memberAuthor } from "../services/access/change-author.ts";
import { blockMember, unblockMember } from "../services/moderation/moderation-changes.ts";
import { activeBlock } from "../services/moderation/policy.ts";
import { BLOCK_DAYS_MAX, BLOCK_REASON_CHARS_MAX, type Block } from "../services/settings/settings-schema.ts";
import type { CommandWord } from "../i18n/message-descriptor.ts";
import type { PlainKey } from "../i18n/message-params.ts";
import { t } from "../i18n/messages.ts";
import { plainLine, quote } from "../i18n/quote.ts";
import { toTimestampS } from "../i18n/timestamp.ts";
import { UserError } from "../services/user-error.ts";
import type { Clock } from "@atelier/common/clock";
import type { CommandOverrides } from "../services/settings/command-access.ts";
import type { GuildSettingsStore } from "../services/settings/guild-settings.ts";
import type { Command } from "./command.ts";
import { isModerator, requireAuthorization, requireModerator } from "./invoking-member.ts";
import { localize } from "./localize.ts";
import { definePagedList } from "./paged-list.ts";
import { guildCommand } from "./guild-command.ts";

const HOUR_MS = 60 * 60 * 1000;
const REASON_CHARS_SHOWN = 60;
const PAGE_BLOCKS = 12;

interface BlockDeps {
	readonly settings: GuildSettingsStore;
	readonly commandOverrides: CommandOverrides;
	readonly clock: Clock;
}

const moderatorCommand = (name: CommandWord, description: PlainKey) =>
	guildCommand(name, description).setDefaultMemberPermissions(PermissionFlagsBits.ManageMessages);

export const block: Command<BlockDeps> = {
	definition: moderatorCommand("block", "command.block")
		.addUserOption((option) => localize(option, "member", "option.blockMember").setRequired(true))
		.addStringOption((option) =>
			localize(option, "reason", "option.blockReason").setRequired(true).setMaxLength(BLOCK_REASON_CHARS_MAX),
		)
		.addIntegerOption((option) =>
			localize(option, "days", "option.blockDays").setMinValue(1).setMaxValue(BLOCK_DAYS_MAX),
		)
		.addIntegerOption((option) => localize(option, "hours", "option.blockHours").setMinValue(1).setMaxValue(23))
		.toJSON(),
	async execute(interaction, deps, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAuthorization(interaction, deps, isModerator);
		const { guildId, locale, options, user } = interaction;
		const member = options.getUser("member", true);
		if (member.id === user.id) throw new UserError({ key: "block.self" });
		const reason = plainLine(options.getString("reason", true), BLOCK_REASON_CHARS_MAX);
		if (reason === "") throw new UserError({ key: "block.reasonEmpty" });
		const hours = (options.getInteger("days") ?? 0) * 24 + (options.getInteger("hours") ?? 0);
		const atMs = deps.clock.nowMs();
		const untilMs = hours === 0 ? null : atMs + hours * HOUR_MS;
		const newBlock: Block = { reason, byUserId: user.id, atMs, untilMs };
		await deps.settings.change(
			guildId,
			(before) => blockMember(before, member.id, newBlock),
			memberAuthor(user.id, "discord"),
		);
		logger.info({ userId: user.id, blockedId: member.id, hours }, "member blocked");
		const params = { userId: member.id, reason: quote(reason, BLOCK_REASON_CHARS_MAX), untilS: untilOf(newBlock) };
		await interaction.editReply({ content: t(locale, { key: "block.done", params }) });
	},
};

export const unblock: Command<BlockDeps> = {
	definition: moderatorCommand("unblock", "command.unblock")
		.addUserOption((option) => localize(option, "member", "option.unblockMember").setRequired(true))
		.toJSON(),
	async execute(interaction, deps, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAuthorization(interaction, deps, isModerator);
		const { guildId, locale, options, user } = interaction;
		const { id } = options.getUser("member", true);
		const nowMs = deps.clock.nowMs();
		await deps.settings.change(guildId, (before) => unblockMember(before, id, nowMs), memberAuthor(user.id, "discord"));
		logger.info({ userId: user.id, unblockedId: id }, "member unblocked");
		await interaction.editReply({ content: t(locale, { key: "block.undone", params: { userId: id } }) });
	},
};

export const blocks: Command<BlockDeps> = {
	definition: moderatorCommand("blocks", "command.blocks").toJSON(),
	async execute(interaction, deps) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAuthorization(interaction, deps, isModerator);
		await blockList.show(interaction, {}, deps);
	},
};

const blockList = definePagedList<BlockDeps>(
	"blocks",
	async (interaction, { page }, { settings: store, clock }) => {
		const { guildId, locale } = interaction;
		const settings = await store.read(guildId);
		const nowMs = clock.nowMs();
		const blocked = Object.entries(settings.blocks)
			.filter(([userId]) => activeBlock(settings, userId, nowMs))
			.toSorted(([, one], [, other]) => other.atMs - one.atMs);
		const firstIndex = page * PAGE_BLOCKS;
		const shown = blocked.slice(firstIndex, firstIndex + PAGE_BLOCKS);
		if (shown.length === 0) return t(locale, { key: "block.empty" });
		return {
			head: t(locale, { key: "block.head", params: { blocked: blocked.length } }),
			rows: shown.map(([userId, each]) => {
				const { byUserId, reason } = each;
				const params = { userId, byUserId, untilS: untilOf(each), reason: quote(reason, REASON_CHARS_SHOWN) };
				return { text: t(locale, { key: "block.line", params }) };
			}),
			hasMore: blocked.length > firstIndex + PAGE_BLOCKS,
		};
	},
	requireModerator,
);
export const turnBlockPage = blockList.turnPage;

function untilOf({ untilMs }: Block): number | null {
	return untilMs === null ? null : toTimestampS(untilMs);
}
