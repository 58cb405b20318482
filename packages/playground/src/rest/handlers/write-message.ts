/** Writing and rewriting messages: the same rules for replies to commands and for the bot's own messages. */
import { MessageFlags, MessageType } from "discord-api-types/v10";
import { messageFaults, type MessageRequest } from "../../schema/message-validation.ts";
import { compose } from "../../simulator/build-message.ts";
import { faults } from "../../simulator/api-error.ts";
import { DEFAULT_MENTIONS, mentionsIn } from "../../simulator/mentions.ts";
import type { MessageBody, UploadedFile } from "../../simulator/message-body.ts";
import { EVERYONE_PERMISSIONS } from "../../simulator/permissions.ts";
import { type Place, serverOf } from "../../simulator/channels-in-guilds.ts";
import type { StoredMessage } from "../../simulator/stored-message.ts";
import type { World } from "../../simulator/simulator.ts";

type Written = Pick<
	StoredMessage,
	| "content"
	| "embeds"
	| "components"
	| "attachments"
	| "flags"
	| "mentionedUserIds"
	| "mentionedRoleIds"
	| "mentionsEveryone"
>;

/** What a new message in this channel says; throws Discord's refusal of it. */
export function writeNew(
	world: World,
	channelId: string,
	body: MessageBody,
	files: readonly UploadedFile[],
	kind: MessageRequest,
): Promise<Written> {
	return write(world, channelId, body, files, kind, null);
}

/**
 * Rewrites `message`; an edit that says nothing of mentions is subject to the default again. `claim` is called last, and
 * is one with the edit: what it throws stops it.
 */
export function rewrite(
	world: World,
	{ id, channelId }: StoredMessage,
	body: MessageBody,
	files: readonly UploadedFile[],
	kind: MessageRequest,
	claim: () => void = () => undefined,
): Promise<StoredMessage> {
	// One edit of a message after the other: each builds on what the one before it left.
	return world.turns.take(id, async () => {
		const message = world.messages.find(channelId, id);
		if (!message) throw faults.unknownMessage();
		return apply(world, message, body, files, kind, claim);
	});
}

async function apply(
	world: World,
	message: StoredMessage,
	body: MessageBody,
	files: readonly UploadedFile[],
	kind: MessageRequest,
	claim: () => void,
): Promise<StoredMessage> {
	const written = await write(world, message.channelId, body, files, kind, message);
	const wasLoading = (message.flags & MessageFlags.Loading) !== 0;
	let edited;
	try {
		edited = world.atomically(() => {
			// The files took a moment; meanwhile the message may have been deleted.
			if (!world.messages.find(message.channelId, message.id)) throw faults.unknownMessage();
			claim();
			return world.messages.edit(message, { ...written, editedMs: wasLoading ? null : world.clock.nowMs() });
		});
	} catch (error) {
		world.attachments.forget(newIn(written, message));
		throw error;
	}
	const kept = new Set(edited.attachments.map(({ id }) => id));
	world.attachments.forget(message.attachments.map(({ id }) => id).filter((id) => !kept.has(id)));
	return edited;
}

async function write(
	world: World,
	channelId: string,
	body: MessageBody,
	files: readonly UploadedFile[],
	kind: MessageRequest,
	previous: StoredMessage | null,
): Promise<Written> {
	const found = messageFaults(body, kind);
	if (found.length > 0) throw faults.invalidForm(found);
	const place = world.places.find(channelId);
	const server = place && serverOf(place);
	const { attachments, switches } = world;
	const contents = await compose({ attachments, limits: switches.filesIn(server ?? null) }, body, files, previous);
	const isInteraction = kind === "interactionCreate" || kind === "interactionEdit";
	const mentions = mentionsIn(
		contents.content,
		body.allowed_mentions ?? DEFAULT_MENTIONS[isInteraction ? "interaction" : "bot"],
		{
			userIds: new Set([...idsOf(place), world.people.bot.id]),
			roles: new Map((server ? world.places.roles(server) : []).map(({ id, mentionable }) => [id, mentionable])),
			permissions: EVERYONE_PERMISSIONS,
		},
	);
	return {
		...contents,
		mentionedUserIds: mentions.userIds,
		mentionedRoleIds: mentions.roleIds,
		mentionsEveryone: mentions.everyone,
	};
}

/** Who may be pinged: nobody is who does not see the channel. */
function idsOf(place: Place | undefined): readonly string[] {
	if (!place) return [];
	return place.kind === "guild" ? place.server.memberIds : [place.userId];
}

function newIn(written: Written, previous: StoredMessage): string[] {
	const old = new Set(previous.attachments.map(({ id }) => id));
	return written.attachments.map(({ id }) => id).filter((id) => !old.has(id));
}

/** Everything of a message that a request does not say. */
export function blankMessage(
	channelId: string,
	guildId: string | null,
): Omit<StoredMessage, "id" | "createdMs" | "editedMs"> {
	return {
		channelId,
		guildId,
		type: MessageType.Default,
		content: "",
		flags: 0,
		tts: false,
		attachments: [],
		embeds: [],
		components: [],
		mentionedUserIds: [],
		mentionedRoleIds: [],
		mentionsEveryone: false,
		visibleTo: null,
		interaction: null,
		nonce: null,
		repliesTo: null,
	};
}
