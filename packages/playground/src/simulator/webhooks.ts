/** The webhooks of channels. Those of interactions are in interactions.ts. */
import { type APIWebhook, WebhookType } from "discord-api-types/v10";
import { isSameSecret } from "@atelier/common/constant-time-equal";
import type { ImageData } from "../media/image-data.ts";
import type { Attachments } from "./attachments.ts";
import { apiErrors } from "./api-error.ts";
import type { Webhook } from "./documents.ts";
import type { Members } from "./members.ts";
import type { Core } from "./simulator-state.ts";

const TOKEN_BYTES = 51;

export interface WebhookChanges {
	readonly name?: string;
	readonly channelId?: string;
	readonly avatar?: ImageData | null;
}

export function createWebhooks(
	{ events, random, seed, snowflakes, tables: { webhooks: records } }: Core,
	deps: { attachments: Attachments; members: Members; origin: () => string; isGone: (channelId: string) => boolean },
) {
	const { attachments, members, origin, isGone } = deps;

	/** The webhooks of a deleted channel are deleted, too. */
	function find(id: string): Webhook | undefined {
		const found = records.get(id);
		return found && !isGone(found.channelId) ? found : undefined;
	}

	async function storeAvatar(image: ImageData | null): Promise<string | null> {
		if (!image) return null;
		return (await attachments.add({ filename: `avatar.${image.ending}`, bytes: image.bytes }, null)).id;
	}

	function emitChange({ guildId, channelId }: Pick<Webhook, "guildId" | "channelId">): void {
		events.emit({ type: "webhooks", guildId, channelId });
	}

	return {
		find,
		/** Returns the webhook with this token. Throws Discord's error otherwise. */
		authenticate(id: string, token: string): Webhook {
			const found = find(id);
			if (!found) throw apiErrors.unknownWebhook();
			if (!isSameSecret(token, found.token)) throw apiErrors.invalidWebhookToken();
			return found;
		},
		inChannel: (id: string): readonly Webhook[] =>
			[...records.values()].filter(({ channelId }) => channelId === id && !isGone(channelId)),
		inGuild: (id: string): readonly Webhook[] =>
			[...records.values()].filter(({ guildId, channelId }) => guildId === id && !isGone(channelId)),
		async create(fields: Pick<Webhook, "guildId" | "channelId" | "name">, avatar: ImageData | null): Promise<Webhook> {
			const webhook: Webhook = {
				...fields,
				id: snowflakes.next(),
				token: Buffer.from(random(TOKEN_BYTES)).toString("base64url"),
				avatar: await storeAvatar(avatar),
			};
			records.set(webhook.id, webhook);
			emitChange(webhook);
			return webhook;
		},
		/** Earlier messages keep the old avatar. */
		async edit(webhook: Webhook, { avatar, ...changes }: WebhookChanges): Promise<Webhook> {
			const edited = { ...webhook, ...changes, ...(avatar !== undefined && { avatar: await storeAvatar(avatar) }) };
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
		serialize({ id, guildId, channelId, name, token, avatar }: Webhook, { hasUser }: { hasUser: boolean }): APIWebhook {
			return {
				id,
				type: WebhookType.Incoming,
				guild_id: guildId,
				channel_id: channelId,
				name,
				avatar,
				token,
				application_id: seed.application.id,
				url: `${origin()}/api/webhooks/${id}/${token}`,
				...(hasUser && { user: members.bot }),
			};
		},
	};
}
