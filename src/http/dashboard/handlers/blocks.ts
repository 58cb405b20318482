import { plainLine } from "../../../i18n/quote.ts";
import { blockMember, unblockMember } from "../../../services/settings/change-moderation.ts";
import { activeBlocks } from "../../../services/settings/server-policy.ts";
import { BLOCK_REASON_CHARS_MAX } from "@atelier/dashboard/limits";
import { BLOCK_DAYS_MAX } from "../../../services/settings/guild-settings.ts";
import type { SettingsUpdate } from "../../../services/settings/settings-store.ts";
import { UserError } from "../../../services/user-error.ts";
import { settingsAuthorOf, type Handlers } from "../api-request.ts";

/** `/block` takes up to `BLOCK_DAYS_MAX` days and, in addition, hours up to a day. */
const BLOCK_MS_MAX = (BLOCK_DAYS_MAX + 1) * 24 * 60 * 60 * 1000;

export const blockHandlers = {
	blocks: async ({ params: { server } }, { settings, clock }) => ({
		blocks: activeBlocks(await settings.read(server), clock.nowMs()),
	}),

	async block({ params: { server, member }, body, caller }, { settingsService, clock }) {
		const nowMs = clock.nowMs();
		const { untilMs } = body;
		if (untilMs !== null && (untilMs <= nowMs || untilMs > nowMs + BLOCK_MS_MAX))
			throw new UserError({ key: "block.untilInvalid" });
		const block = {
			reason: plainLine(body.reason, BLOCK_REASON_CHARS_MAX),
			byUserId: caller.userId,
			atMs: nowMs,
			untilMs,
		};
		const update: SettingsUpdate = (before) => blockMember(before, member, block);
		const change = { guildId: server, author: settingsAuthorOf(caller), update };
		const { settings } = await settingsService.change(change, caller.logger);
		return { blocks: activeBlocks(settings, nowMs) };
	},

	async unblock({ params: { server, member }, caller }, { settingsService, clock }) {
		const { userId, permissions } = caller;
		const nowMs = clock.nowMs();
		const moderator = { userId, isManager: permissions.isManager };
		const update: SettingsUpdate = (before) => unblockMember(before, member, moderator, nowMs);
		const change = { guildId: server, author: settingsAuthorOf(caller), update };
		const { settings } = await settingsService.change(change, caller.logger);
		return { blocks: activeBlocks(settings, nowMs) };
	},
} satisfies Partial<Handlers>;
