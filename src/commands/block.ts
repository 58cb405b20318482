/** `/block`, `/unblock` and `/blocks`: moderators stop members from generating in this server. */
import type { BaseInteraction } from "discord.js";
import { blockMember, unblockMember } from "../services/settings/change-moderation.ts";
import { activeBlocks } from "../services/settings/server-policy.ts";
import { BLOCK_REASON_CHARS_MAX } from "@atelier/dashboard/limits";
import { BLOCK_DAYS_MAX, type Block } from "../services/settings/guild-settings.ts";
import { t } from "../i18n/messages.ts";
import { plainLine, quote } from "../i18n/quote.ts";
import { toTimestampS } from "../i18n/message-param-values.ts";
import { changeSettings } from "./settings/change-settings.ts";
import { defineEntryCustomId, defineEntryRemoval, entryButton } from "./settings/entry-button.ts";
import { integerOption, stringOption, userOption } from "./framework/command-options.ts";
import { definePrivateCommand } from "./framework/command.ts";
import { isManager, MODERATORS_OR_ALLOWED } from "./framework/invoking-member.ts";
import { definePagedList, entriesOfPage } from "./framework/paged-list.ts";

const HOUR_MS = 60 * 60 * 1000;
const REASON_CHARS_SHOWN = 60;
/** A block with its button takes three components of a message, which has 40 at most. */
const PAGE_BLOCKS = 11;

export const block = definePrivateCommand("block", {
	audience: MODERATORS_OR_ALLOWED,
	options: [
		userOption("member", "option.blockMember", { required: true }),
		stringOption("reason", "option.blockReason", { required: true, max_length: BLOCK_REASON_CHARS_MAX }),
		integerOption("days", "option.blockDays", { min_value: 1, max_value: BLOCK_DAYS_MAX }),
		integerOption("hours", "option.blockHours", { min_value: 1, max_value: 23 }),
	],
	async execute(interaction, services) {
		const { locale, options, user } = interaction;
		const member = options.getUser("member", true);
		const reason = plainLine(options.getString("reason", true), BLOCK_REASON_CHARS_MAX);
		const hours = (options.getInteger("days") ?? 0) * 24 + (options.getInteger("hours") ?? 0);
		const atMs = services.clock.nowMs();
		const untilMs = hours === 0 ? null : atMs + hours * HOUR_MS;
		const newBlock: Block = { reason, byUserId: user.id, atMs, untilMs };
		await changeSettings(interaction, (before) => blockMember(before, member.id, newBlock), services);
		const params = { userId: member.id, reason: quote(reason, BLOCK_REASON_CHARS_MAX), untilS: untilOf(newBlock) };
		await interaction.editReply({ content: services.commandMentions.say(locale, { key: "block.done", params }) });
	},
});

export const unblock = definePrivateCommand("unblock", {
	audience: MODERATORS_OR_ALLOWED,
	options: [userOption("member", "option.unblockMember", { required: true })],
	async execute(interaction, services) {
		const { locale, options } = interaction;
		const { id } = options.getUser("member", true);
		const moderator = moderatorOf(interaction);
		const nowMs = services.clock.nowMs();
		await changeSettings(interaction, (before) => unblockMember(before, id, moderator, nowMs), services);
		await interaction.editReply({
			content: services.commandMentions.say(locale, { key: "block.undone", params: { userId: id } }),
		});
	},
});

export const blocks = definePrivateCommand("blocks", {
	audience: MODERATORS_OR_ALLOWED,
	execute: (interaction, services) => blockList.show(interaction, {}, services),
});

const unblockCustomId = defineEntryCustomId("blocks-unblock");

export const blockList = definePagedList(
	"blocks",
	async (interaction, { page }, { settings: store, clock }) => {
		const { guildId, locale } = interaction;
		const blocked = activeBlocks(await store.read(guildId), clock.nowMs());
		const { entries, hasMore } = entriesOfPage(blocked, page, PAGE_BLOCKS);
		if (entries.length === 0) return t(locale, { key: "block.empty" });
		return {
			head: t(locale, { key: "block.head", params: { blocked: blocked.length } }),
			rows: entries.map((each) => {
				const { userId, byUserId, reason } = each;
				const params = { userId, byUserId, untilS: untilOf(each), reason: quote(reason, REASON_CHARS_SHOWN) };
				const buttons = [entryButton(unblockCustomId, each, page, { key: "button.unblock" }, locale)];
				return { text: t(locale, { key: "block.line", params }), buttons };
			}),
			hasMore,
		};
	},
	MODERATORS_OR_ALLOWED.authorizePressOf("blocks"),
);

/** Unblocks the member beside the button, for those who may use `/unblock`. */
export const unblockListed = defineEntryRemoval({
	customIdCodec: unblockCustomId,
	list: blockList,
	authorizePress: MODERATORS_OR_ALLOWED.authorizePressOf("unblock"),
	entriesOf: (settings, { clock }) => activeBlocks(settings, clock.nowMs()),
	remove: (before, { userId }, interaction, { clock }) =>
		unblockMember(before, userId, moderatorOf(interaction), clock.nowMs()),
});

function moderatorOf(interaction: BaseInteraction) {
	return { userId: interaction.user.id, isManager: isManager(interaction) };
}

function untilOf({ untilMs }: Block): number | null {
	return untilMs === null ? null : toTimestampS(untilMs);
}
