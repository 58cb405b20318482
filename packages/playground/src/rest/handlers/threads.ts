/** Threads, public and private. */
import {
	ChannelType,
	PermissionFlagsBits as Permission,
	type RESTPatchAPIChannelJSONBody,
} from "discord-api-types/v10";
import type { Nullable } from "../../json.ts";
import { validateRequest } from "../../schema/validator.ts";
import { apiErrors } from "../../simulator/api-error.ts";
import type { Channel, Guild, GuildChannel, Thread, ThreadMember } from "../../simulator/documents.ts";
import { compareSnowflakes } from "../../simulator/discord-formats.ts";
import { requireMayPost } from "./posting.ts";
import { isThreadMember, type NewThread, type ThreadChanges, toThreadMember } from "../../simulator/threads.ts";
import { booleanParam, integerParam, pageById } from "../read-request.ts";
import { type ActorRequest, CreatedResponse, type RestRequest } from "../route.ts";
import { hasPermission, messageOf, requireChannelPermission, requireNotArchived } from "./channels.ts";
import { memberIdOf } from "./guilds.ts";

const LISTED_MAX = 100;

type ThreadBody = Nullable<Omit<RESTPatchAPIChannelJSONBody, "type">> & { readonly type?: ChannelType | null };

/** Returns the fields of a thread that a body sets. */
function fieldsOf(body: ThreadBody): ThreadChanges {
	return {
		...(body.name != null && { name: body.name }),
		...(body.auto_archive_duration != null && { autoArchiveMinutes: body.auto_archive_duration }),
		...(body.rate_limit_per_user != null && { slowmodeS: body.rate_limit_per_user }),
		...(body.archived != null && { isArchived: body.archived }),
		...(body.locked != null && { isLocked: body.locked }),
	};
}

/** A thread has no threads of its own, and neither has a direct message channel. */
function newThread(request: ActorRequest, channel: Channel, kind: "publicThread" | "privateThread"): NewThread {
	const { actorId, body } = request;
	if (channel.kind !== "guild" || channel.thread) throw apiErrors.notInThisChannelType();
	requireMayPost(request, channel, { [kind]: true });
	const fields = fieldsOf(body as ThreadBody);
	const { name } = body as { readonly name: string };
	return { guildId: channel.guildId, parentId: channel.id, ownerId: actorId, ...fields, name };
}

/** Starts a thread from the message of the path. */
export function startFromMessage(request: ActorRequest, channel: Channel): Thread {
	const { threads, atomically } = request.simulator;
	const fields = newThread(request, channel, "publicThread");
	const message = messageOf(request, channel);
	if (threads.find(message.id)) throw apiErrors.threadExists();
	return atomically(() => threads.create(fields, message.id));
}

/** Starts a thread without a message; by default a private one, as on Discord. */
export function start(request: ActorRequest, channel: Channel): Thread {
	const { threads, atomically } = request.simulator;
	const { type, invitable } = request.body as ThreadBody;
	const isPublic = type === ChannelType.PublicThread;
	if (!isPublic && type != null && type !== ChannelType.PrivateThread)
		throw apiErrors.invalidField(["type"], "BASE_TYPE_CHOICES", "Value must be one of (11, 12).");
	const fields = isPublic
		? newThread(request, channel, "publicThread")
		: { ...newThread(request, channel, "privateThread"), isPrivate: true, isInvitable: invitable ?? true };
	return atomically(() => threads.create(fields));
}

export function createFromMessage(request: RestRequest, channel: Channel): CreatedResponse {
	return new CreatedResponse(request.simulator.threads.serialize(startFromMessage(request, channel)));
}

export function create(request: RestRequest, channel: Channel): CreatedResponse {
	return new CreatedResponse(request.simulator.threads.serialize(start(request, channel)));
}

type ThreadChannel = GuildChannel & { readonly thread: Thread };

function isThread(channel: Channel): channel is ThreadChannel {
	return channel.kind === "guild" && channel.thread !== undefined;
}

function requireThread(channel: Channel): ThreadChannel {
	if (!isThread(channel)) throw apiErrors.notInThisChannelType();
	return channel;
}

/** Other channels cannot be changed or deleted: these routes are missing for them. */
function requireChangeableThread(channel: Channel): ThreadChannel {
	if (!isThread(channel)) throw apiErrors.notFound();
	return channel;
}

/**
 * The owner may rename, archive and unarchive an unlocked thread, and change after how long it is hidden. Everything else
 * needs the permission to manage threads, except that any bot may unarchive an unlocked thread.
 */
export function edit(request: RestRequest, channel: Channel): object {
	const { threads } = request.simulator;
	const { thread } = requireChangeableThread(channel);
	const body = validateRequest("UpdateThreadRequestPartial", request.body) as ThreadBody;
	const isInvitable = thread.isPrivate ? body.invitable : undefined;
	const changes = { ...fieldsOf(body), ...(isInvitable != null && { isInvitable }) };
	const mayManage = hasPermission(request, channel, Permission.ManageThreads);
	const isOwner = thread.ownerId === request.actorId;
	const isOnlyUnarchived = Object.keys(changes).join() === "isArchived" && !changes.isArchived && !thread.isLocked;
	const needsManage = changes.isLocked !== undefined || changes.slowmodeS !== undefined || thread.isLocked || !isOwner;
	if (needsManage && !mayManage && !isOnlyUnarchived) throw apiErrors.missingPermissions();
	if (changes.isArchived !== false) requireNotArchived(channel);
	return threads.serialize(threads.edit(thread, changes));
}

export function remove(request: RestRequest, channel: Channel): object {
	const { simulator } = request;
	const { thread } = requireChangeableThread(channel);
	requireChannelPermission(request, channel, Permission.ManageThreads);
	const body = simulator.threads.serialize(thread);
	simulator.atomically(() => simulator.threads.remove(thread));
	return body;
}

/** The bot joins, or adds a member. */
export function addMember(request: RestRequest, channel: Channel): void {
	const { threads, channels } = request.simulator;
	const { thread, guild } = requireThread(channel);
	requireNotArchived(channel);
	const userId = memberIdOf(request, guild, request.param("userOrMe"));
	if (userId !== request.actorId) {
		const parent = channels.find(thread.parentId);
		if (!parent || !channels.canRead(parent, userId)) throw apiErrors.missingAccess();
		if (!thread.isInvitable && thread.ownerId !== request.actorId)
			requireChannelPermission(request, channel, Permission.ManageThreads);
	}
	threads.addMember(thread, userId);
}

/** The bot leaves, or removes a member. */
export function removeMember(request: RestRequest, channel: Channel): void {
	const { thread } = requireThread(channel);
	const userId = request.param("userOrMe");
	const isSelf = userId === request.actorId;
	if (!isSelf && (!thread.isPrivate || thread.ownerId !== request.actorId))
		requireChannelPermission(request, channel, Permission.ManageThreads);
	requireNotArchived(channel);
	if (!isSelf) memberOf(thread, userId);
	request.simulator.threads.removeMember(thread, userId);
}

function memberOf({ members }: Thread, id: string): ThreadMember {
	const found = members.find(({ userId }) => userId === id);
	if (!found) throw apiErrors.unknownMember();
	return found;
}

function toMember(request: RestRequest, { guild, thread }: ThreadChannel, listed: ThreadMember): object {
	const { members } = request.simulator;
	const shown = toThreadMember(thread, listed);
	if (!booleanParam(request.query, "with_member")) return shown;
	return { ...shown, member: members.memberOf(guild, listed.userId) };
}

export function member(request: RestRequest, channel: Channel): object {
	const threadChannel = requireThread(channel);
	return toMember(request, threadChannel, memberOf(threadChannel.thread, request.param("userOrMe")));
}

/** Lists in the order of the ids. Needs the members intent of the application. */
export function listMembers(request: RestRequest, channel: Channel): object {
	const threadChannel = requireThread(channel);
	const { seed } = request.simulator;
	if (!seed.application.privilegedIntents.includes("GuildMembers")) throw apiErrors.missingAccess();
	const page = pageById(request.query, threadChannel.thread.members, ({ userId }) => userId, {
		limitMax: LISTED_MAX,
	});
	return page.map((each) => toMember(request, threadChannel, each));
}

function toList({ simulator: { threads } }: RestRequest, listed: readonly Thread[], hasMore: boolean): object {
	return {
		threads: listed.map((thread) => threads.serialize(thread)),
		members: listed.flatMap((thread) => threads.ownMember(thread) ?? []),
		has_more: hasMore,
	};
}

/** Lists those that the bot sees. */
export function listActive(request: RestRequest, guild: Guild): object {
	const { channels } = request.simulator;
	const active = channels.inGuild(guild).flatMap(({ id }) => channels.activeThreads(id, request.actorId));
	return toList(request, active, false);
}

/** Lists the last archived first, before the time `before`. */
function archivedBefore(request: RestRequest, channel: Channel, isInList: (thread: Thread) => boolean): object {
	const before = request.query.get("before");
	const archived = request.simulator.threads
		.archivedIn(channel.id, isInList)
		.filter(({ archiveChangedMs }) => before === null || archiveChangedMs < Date.parse(before));
	return archivedPage(request, archived);
}

function archivedPage(request: RestRequest, archived: readonly Thread[]): object {
	const threadsMax = integerParam(request.query, "limit", { min: 2, max: LISTED_MAX }) ?? 50;
	return toList(request, archived.slice(0, threadsMax), archived.length > threadsMax);
}

export function listArchivedPublic(request: RestRequest, channel: Channel): object {
	return archivedBefore(request, channel, (thread) => !thread.isPrivate);
}

export function listArchivedPrivate(request: RestRequest, channel: Channel): object {
	return archivedBefore(request, channel, (thread) => thread.isPrivate);
}

/** Lists the private threads of which the bot is a member, the newest first, before the id `before`. */
export function listJoinedPrivate(request: RestRequest, channel: Channel): object {
	const before = request.query.get("before");
	const joined = request.simulator.threads
		.archivedIn(channel.id, (thread) => thread.isPrivate && isThreadMember(thread, request.actorId))
		.filter(({ id }) => before === null || compareSnowflakes(id, before) < 0)
		.toSorted((one, other) => compareSnowflakes(other.id, one.id));
	return archivedPage(request, joined);
}
