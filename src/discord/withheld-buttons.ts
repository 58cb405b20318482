/** Withheld results in the moderators' channel, with their buttons. */
import { ButtonStyle, ComponentType, type APIButtonComponentWithCustomId } from "discord.js";
import { t } from "../i18n/messages.ts";
import { WITHHELD_ACTIONS, type WithheldAction, type WithheldPoster } from "../services/moderation/withheld-results.ts";
import { row } from "./card.ts";
import { defineCustomId, idField } from "./custom-id.ts";
import type { FilePoster } from "./file-poster.ts";

export const withheldCustomId = defineCustomId("withheld", {
	action: idField.oneOf(...WITHHELD_ACTIONS),
	taskId: idField.snowflake,
});

const LABELS = { show: "button.withheldShow", discard: "button.withheldDiscard" } as const;

export function createWithheldPoster(poster: FilePoster): WithheldPoster {
	return {
		post: (channelId, { taskId, text, files, locale }) =>
			poster.post(channelId, {
				key: `withheld:${taskId}`,
				text,
				files,
				rows: [row(...WITHHELD_ACTIONS.map((action) => buttonOf(action, taskId, locale)))],
				tone: "warning",
			}),
	};
}

function buttonOf(action: WithheldAction, taskId: string, locale: string): APIButtonComponentWithCustomId {
	return {
		type: ComponentType.Button,
		style: action === "discard" ? ButtonStyle.Danger : ButtonStyle.Secondary,
		label: t(locale, { key: LABELS[action] }),
		custom_id: withheldCustomId.encode({ action, taskId }),
	};
}
