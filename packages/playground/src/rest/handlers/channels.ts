/** Requests with the bot's own token: no time limit. */
import { MessageType } from "discord-api-types/v10";
import { faults } from "../../simulator/api-error.ts";
import type { MessageBody } from "../../simulator/message-body.ts";
import type { Place } from "../../simulator/channels-in-guilds.ts";
import type { StoredMessage } from "../../simulator/stored-message.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { Answer, RestRequest, RestRoom } from "../route.ts";
import { blankMessage, rewrite, writeNew } from "./write-message.ts";

/** How long Discord remembers nonces: "the past few minutes". */
const NONCE_LIFE_MS = 5 * 60_000;
const LISTED_MAX = 100;

function placeOf(request: RestRequest, { simulator }: RestRoom): Place {
	const place = simulator.places.find(request.param("channel"));
	const access = place && simulator.switches.accessTo(place.id);
	if (!place || access === "gone") throw faults.unknownChannel();
	const isShut = place.kind === "guild" && (access === "none" || !simulator.installs.isMember(place.server));
	if (isShut) throw faults.missingAccess();
	return place;
}

/** Returns the channel if the bot may post there, not only read and edit its own messages. */
function writablePlaceOf(request: RestRequest, room: RestRoom): Place {
	const place = placeOf(request, room);
	const { switches } = room.simulator;
	const access = switches.accessTo(place.id);
	if (access === "readOnly" || (access === "noFiles" && request.files.length > 0)) throw faults.missingPermissions();
	if (place.kind === "direct" && switches.closedDirectUserIds.has(place.userId)) throw faults.cannotMessageUser();
	return place;
}

/** Ephemeral messages are not in the channel: a bot does not even find its own ones with its token. */
function messageOf(request: RestRequest, room: RestRoom): StoredMessage {
	const message = room.simulator.messages.find(placeOf(request, room).id, request.param("message"));
	if (!message || message.visibleTo !== null) throw faults.unknownMessage();
	return message;
}

export function read(request: RestRequest, room: RestRoom): Answer {
	const place = placeOf(request, room);
	const { places } = room.simulator;
	const [schema, body] =
		place.kind === "guild"
			? (["GuildChannelResponse", places.guildChannel(place.server, place.channel)] as const)
			: (["PrivateChannelResponse", places.directChannel(place)] as const);
	room.answers.check("GET /channels/:channel", schema, body);
	return { status: 200, body };
}

export function openDirect(request: RestRequest, { simulator }: RestRoom): Answer {
	const { recipient_id: userId } = request.body as { recipient_id?: string | null };
	const person = simulator.people.find(userId ?? "");
	if (!person) throw faults.invalidRecipient();
	const { place, isNew } = simulator.places.openDirect(person.id);
	if (isNew) simulator.events.emit({ type: "directChannel", channelId: place.id, userId: person.id });
	return { status: 200, body: simulator.places.directChannel(place) };
}

export function listMessages(request: RestRequest, room: RestRoom): Answer {
	const place = placeOf(request, room);
	const most = Math.min(Math.max(Number(request.query.get("limit") ?? 50) || 50, 1), LISTED_MAX);
	const { messages, show } = room.simulator;
	const found = messages.newest(most, ({ channelId, visibleTo }) => channelId === place.id && visibleTo === null);
	return { status: 200, body: found.toReversed().map((message) => show.message(message)) };
}

export function readMessage(request: RestRequest, room: RestRoom): Answer {
	return { status: 200, body: room.simulator.show.message(messageOf(request, room)) };
}

export async function createMessage(request: RestRequest, room: RestRoom): Promise<Answer> {
	const { simulator } = room;
	const place = writablePlaceOf(request, room);
	const body = request.body as MessageBody;
	const repliesTo = repliedTo(body, place, simulator);
	const written = await writeNew(simulator, place.id, body, request.files, "botCreate");
	const nonce = body.nonce ?? null;
	const twin =
		nonce !== null && body.enforce_nonce
			? simulator.messages.withNonce(place.id, nonce, simulator.clock.nowMs() - NONCE_LIFE_MS)
			: undefined;
	if (twin) {
		simulator.attachments.forget(written.attachments.map(({ id }) => id));
		return { status: 200, body: simulator.show.message(twin) };
	}
	const message = simulator.messages.create({
		...blankMessage(place.id, place.guildId),
		...written,
		type: repliesTo === null ? MessageType.Default : MessageType.Reply,
		tts: body.tts ?? false,
		nonce,
		repliesTo,
	});
	return { status: 200, body: simulator.show.message(message) };
}

function repliedTo(
	{ message_reference: reference }: MessageBody,
	place: Place,
	{ messages }: Simulator,
): string | null {
	if (!reference) return null;
	const found = messages.find(place.id, reference.message_id);
	if (found) return found.id;
	if (reference.fail_if_not_exists === false) return null;
	throw faults.invalidForm([
		{ path: ["message_reference"], code: "REPLIES_UNKNOWN_MESSAGE", message: "Unknown message" },
	]);
}

export async function editMessage(request: RestRequest, room: RestRoom): Promise<Answer> {
	const message = messageOf(request, room);
	const mayAttach = room.simulator.switches.accessTo(message.channelId) !== "noFiles";
	if (!mayAttach && request.files.length > 0) throw faults.missingPermissions();
	const edited = await rewrite(room.simulator, message, request.body as MessageBody, request.files, "botEdit");
	return { status: 200, body: room.simulator.show.message(edited) };
}

export function deleteMessage(request: RestRequest, room: RestRoom): Answer {
	room.simulator.messages.remove(messageOf(request, room));
	return { status: 204 };
}
