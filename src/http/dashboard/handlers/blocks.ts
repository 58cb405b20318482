import { plainLine } from "../../../i18n/quote.ts";
import { blockMember, unblockMember } from "../../../services/settings/change-moderation.ts";
import { activeBlocks } from "../../../services/moderation/policy.ts";
import { BLOCK_REASON_CHARS_MAX } from "@atelier/dashboard/limits";
import { BLOCK_DAYS_MAX } from "../../../services/settings/settings-schema.ts";
import { UserError } from "../../../services/user-error.ts";
import { settingsAuthorOf, type Handlers } from "../api-request.ts";

/** `/block` takes up to `BLOCK_DAYS_MAX` days and, in addition, hours up to a day. */
const BLOCK_MS_MAX = (BLOCK_DAYS_MAX + 1) * 24 * 60 * 60 * 1000;

export const blockHandlers = {
	blocks: async ({ params: { server } }, { settings, clock }) => ({
		blocks: activeBlocks(await settings.read(server), clock.nowMs()),
	}),

	async block({ params: { server, member }, body, reader }, { settings, clock }) {
		const nowMs = clock.nowMs();
		const { untilMs } = body;
		if (untilMs !== null && (untilMs <= nowMs || untilMs > nowMs + BLOCK_MS_MAX))
			throw new UserError({ key: "block.untilInvalid" });
		const block = {
			reason: plainLine(body.reason, BLOCK_REASON_CHARS_MAX),
			byUserId: reader.userId,
			atMs: nowMs,
			untilMs,
		};
		const after = await settings.change(
			server,
			(before) => blockMember(before, member, block),
			settingsAuthorOf(reader),
		);
		reader.logger.info({ userId: reader.userId, blockedId: member, untilMs: block.untilMs }, "member blocked");
		return { blocks: activeBlocks(after, nowMs) };
	},

	async unblock({ params: { server, member }, reader }, { settings, clock }) {
		const { userId, permissions } = reader;
		const nowMs = clock.nowMs();
		const after = await settings.change(
			server,
			(before) => unblockMember(before, member, { userId, isManager: permissions.isManager }, nowMs),
			settingsAuthorOf(reader),
		);
		reader.logger.info({ userId, unblockedId: member }, "member unblocked");
		return { blocks: activeBlocks(after, nowMs) };
	},
} satisfies Partial<Handlers>;
