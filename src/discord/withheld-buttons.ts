/** Withheld results in the moderators' channel, with their buttons. */
import { ButtonStyle } from "discord.js";
import { t } from "../i18n/messages.ts";
import { WITHHELD_ACTIONS, type WithheldAction } from "../services/moderation/withheld-decisions.ts";
import type { WithheldPoster } from "../services/moderation/withheld-notices.ts";
import { button, row } from "./card.ts";
import { defineCustomId, idField } from "./custom-id.ts";
import type { DiscordFilePoster } from "./discord-file-poster.ts";

export const withheldCustomId = defineCustomId("withheld", {
	action: idField.oneOf(...WITHHELD_ACTIONS),
	taskId: idField.snowflake,
});

const LABELS = { show: "button.withheldShow", discard: "button.withheldDiscard" } as const;

export function createWithheldPoster(poster: DiscordFilePoster): WithheldPoster {
	return {
		post: (channelId, { taskId, text, files, locale }) =>
			poster.post(channelId, {
				key: `withheld:${taskId}`,
				text,
				files,
				rows: [row(...WITHHELD_ACTIONS.map((action) => actionButton(action, taskId, locale)))],
				tone: "warning",
			}),
	};
}

function actionButton(action: WithheldAction, taskId: string, locale: string) {
	return button(withheldCustomId.encode({ action, taskId }), t(locale, { key: LABELS[action] }), {
		style: action === "discard" ? ButtonStyle.Danger : ButtonStyle.Secondary,
	});
}
