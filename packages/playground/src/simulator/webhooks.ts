/** The webhooks of channels. Those of interactions are in interactions.ts. */
import { type APIWebhook, WebhookType } from "discord-api-types/v10";
import { isSameSecret } from "@atelier/common/constant-time-equal";
import { apiErrors } from "./api-error.ts";
import type { Webhook } from "./documents.ts";
import type { Members } from "./members.ts";
import type { Core } from "./core.ts";

const TOKEN_BYTES = 51;

export interface WebhookChanges {
	readonly name?: string;
	readonly channelId?: string;
}

export function createWebhooks(
	{ events, random, seed, snowflakes, tables: { webhooks: records } }: Core,
	{ members, origin }: { members: Members; origin: () => string },
) {
	// The webhooks of a deleted channel are deleted, too.
	events.listen((event) => {
		if (event.type !== "channelDelete") return;
		for (const { id, channelId } of records.values()) if (channelId === event.channel.id) records.delete(id);
	});

	function emitChange({ guildId, channelId }: Pick<Webhook, "guildId" | "channelId">): void {
		events.emit({ type: "webhooks", guildId, channelId });
	}

	return {
		find: (id: string): Webhook | undefined => records.get(id),
		/** Returns the webhook with this token. Throws Discord's error otherwise. */
		authenticate(id: string, token: string): Webhook {
			const found = records.get(id);
			if (!found) throw apiErrors.unknownWebhook();
			if (!isSameSecret(token, found.token)) throw apiErrors.invalidWebhookToken();
			return found;
		},
		inChannel: (id: string): readonly Webhook[] => [...records.values()].filter(({ channelId }) => channelId === id),
		inGuild: (id: string): readonly Webhook[] => [...records.values()].filter(({ guildId }) => guildId === id),
		create(fields: Pick<Webhook, "guildId" | "channelId" | "name">): Webhook {
			const token = Buffer.from(random(TOKEN_BYTES)).toString("base64url");
			const webhook = { ...fields, id: snowflakes.next(), token };
			records.set(webhook.id, webhook);
			emitChange(webhook);
			return webhook;
		},
		edit(webhook: Webhook, changes: WebhookChanges): Webhook {
			const edited = { ...webhook, ...changes };
			records.set(webhook.id, edited);
			if (edited.channelId !== webhook.channelId) emitChange(webhook);
			emitChange(edited);
			return edited;
		},
		remove(webhook: Webhook): void {
			records.delete(webhook.id);
			emitChange(webhook);
		},
		/** Requests with the token of the webhook do not see its creator. */
		serialize({ id, guildId, channelId, name, token }: Webhook, { hasUser }: { hasUser: boolean }): APIWebhook {
			return {
				id,
				type: WebhookType.Incoming,
				guild_id: guildId,
				channel_id: channelId,
				name,
				avatar: null,
				token,
				application_id: seed.application.id,
				url: `${origin()}/api/webhooks/${id}/${token}`,
				...(hasUser && { user: members.bot }),
			};
		},
	};
}
