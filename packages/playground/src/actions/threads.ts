/** Starts threads of the bot and of members. */
import { ChannelType, type RESTPatchAPIChannelJSONBody } from "discord-api-types/v10";
import type { Nullable } from "../json.ts";
import { apiErrors } from "../simulator/api-error.ts";
import type { Channel, StoredMessage, Thread } from "../simulator/documents.ts";
import type { NewThread, ThreadChanges } from "../simulator/threads.ts";
import { type Actor, requireMayPost } from "./channel-permissions.ts";

export type ThreadBody = Nullable<Omit<RESTPatchAPIChannelJSONBody, "type">> & { readonly type?: ChannelType | null };
export type NewThreadBody = ThreadBody & { readonly name: string };

const FIELDS = ["name", "rate_limit_per_user", "auto_archive_duration", "archived", "locked", "invitable"] as const;

/** Returns the fields of a thread that a body sets. */
export function threadFields(body: ThreadBody): ThreadChanges {
	const name = body.name?.trim();
	if (name === "") throw apiErrors.invalidField(["name"], "BASE_TYPE_MIN_LENGTH", "Must be 1 or more in length.");
	const fields = { ...body, name };
	return Object.fromEntries(FIELDS.flatMap((field) => (fields[field] == null ? [] : [[field, fields[field]]])));
}

/** A thread has no threads of its own, and neither has a direct message channel. */
function newThread(actor: Actor, channel: Channel, body: NewThreadBody, type: Thread["type"]): NewThread {
	if (channel.kind !== "guild" || channel.thread) throw apiErrors.notInThisChannelType();
	const isPublic = type === ChannelType.PublicThread;
	requireMayPost(actor, channel, { [isPublic ? "publicThread" : "privateThread"]: true });
	const { invitable = true, name = body.name, ...fields } = threadFields(body);
	const place = { guild_id: channel.guildId, parent_id: channel.id, owner_id: actor.actorId };
	return { ...fields, ...(!isPublic && { invitable }), ...place, type, name };
}

export function startThreadFromMessage(
	actor: Actor,
	channel: Channel,
	message: StoredMessage,
	body: NewThreadBody,
): Thread {
	const { threads, atomically } = actor.simulator;
	const fields = newThread(actor, channel, body, ChannelType.PublicThread);
	if (threads.find(message.id)) throw apiErrors.threadExists();
	return atomically(() => threads.create(fields, message.id));
}

/** Starts a thread without a message; by default a private one, as on Discord. */
export function startThread(actor: Actor, channel: Channel, body: NewThreadBody): Thread {
	const { threads, atomically } = actor.simulator;
	const wanted = body.type ?? ChannelType.PrivateThread;
	if (wanted !== ChannelType.PublicThread && wanted !== ChannelType.PrivateThread)
		throw apiErrors.invalidField(["type"], "BASE_TYPE_CHOICES", "Value must be one of (11, 12).");
	const fields = newThread(actor, channel, body, wanted);
	return atomically(() => threads.create(fields));
}
