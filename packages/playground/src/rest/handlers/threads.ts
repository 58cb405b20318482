/** Threads, public and private. */
import {
	ChannelType,
	PermissionFlagsBits as Permission,
	type RESTPatchAPIChannelJSONBody,
} from "discord-api-types/v10";
import type { Nullable } from "../../json.ts";
import { validateRequest } from "../../schema/validator.ts";
import { apiErrors } from "../../simulator/api-error.ts";
import type { GuildChannel, Thread, ThreadMember } from "../../simulator/documents.ts";
import { compareSnowflakes } from "../../simulator/discord-formats.ts";
import {
	isPrivate,
	isThreadMember,
	type NewThread,
	type ThreadChanges,
	toThreadMember,
} from "../../simulator/threads.ts";
import { booleanParam, integerParam, pageById } from "../read-request.ts";
import { CreatedResponse, type RestRequest } from "../route.ts";
import {
	botPermissionsIn,
	channelOf,
	messageOf,
	requireChannelPermission,
	requireMayPost,
	requireNotArchived,
} from "./channels.ts";
import { guildOf, memberIdOf } from "./guilds.ts";

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
function newThread(request: RestRequest, kind: "publicThread" | "privateThread" = "publicThread"): NewThread {
	const channel = channelOf(request);
	if (channel.kind !== "guild" || channel.thread) throw apiErrors.notInThisChannelType();
	requireMayPost(request, channel, { [kind]: true });
	const body = request.body as ThreadBody & { readonly name: string };
	const ownerId = request.simulator.members.bot.id;
	return { guildId: channel.guildId, parentId: channel.id, ownerId, ...fieldsOf(body), name: body.name };
}

export function createFromMessage(request: RestRequest): CreatedResponse {
	const { simulator } = request;
	const fields = newThread(request);
	const message = messageOf(request);
	if (simulator.threads.find(message.id)) throw apiErrors.threadExists();
	const thread = simulator.atomically(() => simulator.threads.create(fields, message.id));
	return new CreatedResponse(simulator.threads.serialize(thread));
}

/** Starts a thread without a message; by default a private one, as on Discord. */
export function create(request: RestRequest): CreatedResponse {
	const { simulator } = request;
	const { type, invitable } = request.body as ThreadBody;
	const isPublic = type === ChannelType.PublicThread;
	if (!isPublic && type != null && type !== ChannelType.PrivateThread)
		throw apiErrors.invalidField(["type"], "BASE_TYPE_CHOICES", "Value must be one of (11, 12).");
	const fields = isPublic
		? newThread(request)
		: { ...newThread(request, "privateThread"), isInvitable: invitable ?? true };
	return new CreatedResponse(simulator.threads.serialize(simulator.atomically(() => simulator.threads.create(fields))));
}

type ThreadChannel = GuildChannel & { readonly thread: Thread };

function isThread(channel: ReturnType<typeof channelOf>): channel is ThreadChannel {
	return channel.kind === "guild" && channel.thread !== undefined;
}

function threadChannelOf(request: RestRequest): ThreadChannel {
	const channel = channelOf(request);
	if (!isThread(channel)) throw apiErrors.notInThisChannelType();
	return channel;
}

/** Other channels cannot be changed or deleted: these routes are missing for them. */
function changeableThreadOf(request: RestRequest): ThreadChannel {
	const channel = channelOf(request);
	if (!isThread(channel)) throw apiErrors.notFound();
	return channel;
}

/**
 * The owner may rename, archive and unarchive an unlocked thread, and change after how long it is hidden. Everything else
 * needs the permission to manage threads, except that any bot may unarchive an unlocked thread.
 */
export function edit(request: RestRequest): object {
	const { threads } = request.simulator;
	const channel = changeableThreadOf(request);
	const { thread } = channel;
	const body = validateRequest("UpdateThreadRequestPartial", request.body) as ThreadBody;
	const isInvitable = isPrivate(thread) ? body.invitable : undefined;
	const changes = { ...fieldsOf(body), ...(isInvitable != null && { isInvitable }) };
	const mayManage = (botPermissionsIn(request, channel) & Permission.ManageThreads) !== 0n;
	const isOwner = isOwn(request, thread);
	const isOnlyUnarchived = Object.keys(changes).join() === "isArchived" && !changes.isArchived && !thread.isLocked;
	const needsManage = changes.isLocked !== undefined || changes.slowmodeS !== undefined || thread.isLocked || !isOwner;
	if (needsManage && !mayManage && !isOnlyUnarchived) throw apiErrors.missingPermissions();
	if (changes.isArchived !== false) requireNotArchived(channel);
	return threads.serialize(threads.edit(thread, changes));
}

export function remove(request: RestRequest): object {
	const { simulator } = request;
	const { thread } = changeableThreadOf(request);
	requireChannelPermission(request, Permission.ManageThreads);
	const body = simulator.threads.serialize(thread);
	simulator.atomically(() => simulator.threads.remove(thread));
	return body;
}

export function join(request: RestRequest): void {
	const channel = threadChannelOf(request);
	requireNotArchived(channel);
	request.simulator.threads.addMember(channel.thread, request.simulator.members.bot.id);
}

export function leave(request: RestRequest): void {
	const channel = threadChannelOf(request);
	requireNotArchived(channel);
	request.simulator.threads.removeMember(channel.thread, request.simulator.members.bot.id);
}

export function addMember(request: RestRequest): void {
	const { simulator } = request;
	const channel = threadChannelOf(request);
	requireNotArchived(channel);
	const { thread } = channel;
	const userId = memberIdOf(request, channel.guild);
	const parent = simulator.channels.find(thread.parentId);
	if (!parent || !simulator.channels.canRead(parent, userId)) throw apiErrors.missingAccess();
	if (thread.isInvitable === false && !isOwn(request, thread))
		requireChannelPermission(request, Permission.ManageThreads);
	simulator.threads.addMember(thread, userId);
}

export function removeMember(request: RestRequest): void {
	const channel = threadChannelOf(request);
	if (!isPrivate(channel.thread) || !isOwn(request, channel.thread))
		requireChannelPermission(request, Permission.ManageThreads);
	requireNotArchived(channel);
	const userId = request.param("user");
	memberOf(channel.thread, userId);
	request.simulator.threads.removeMember(channel.thread, userId);
}

function isOwn({ simulator: { members } }: RestRequest, { ownerId }: Thread): boolean {
	return ownerId === members.bot.id;
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

export function member(request: RestRequest): object {
	const channel = threadChannelOf(request);
	return toMember(request, channel, memberOf(channel.thread, request.param("user")));
}

export function ownMember(request: RestRequest): object {
	const channel = threadChannelOf(request);
	return toMember(request, channel, memberOf(channel.thread, request.simulator.members.bot.id));
}

/** Lists in the order of the ids. Needs the members intent of the application. */
export function listMembers(request: RestRequest): object {
	const channel = threadChannelOf(request);
	const { seed } = request.simulator;
	if (!seed.application.privilegedIntents.includes("GuildMembers")) throw apiErrors.missingAccess();
	const page = pageById(request.query, channel.thread.members, ({ userId }) => userId, { limitMax: LISTED_MAX });
	return page.map((each) => toMember(request, channel, each));
}

function toList({ simulator: { threads } }: RestRequest, listed: readonly Thread[], hasMore: boolean): object {
	return {
		threads: listed.map((thread) => threads.serialize(thread)),
		members: listed.flatMap((thread) => threads.ownMember(thread) ?? []),
		has_more: hasMore,
	};
}

/** Lists those that the bot sees. */
export function listActive(request: RestRequest): object {
	const { channels, members } = request.simulator;
	const ids = channels.inGuild(guildOf(request)).map(({ id }) => id);
	const active = ids.flatMap((id) => channels.activeThreads(id, members.bot.id));
	return toList(request, active, false);
}

/** Lists the last archived first, before the time `before`. */
function archivedBefore(request: RestRequest, isInList: (thread: Thread) => boolean): object {
	const before = request.query.get("before");
	const archived = request.simulator.threads
		.archivedIn(channelOf(request).id, isInList)
		.filter(({ archiveChangedMs }) => before === null || archiveChangedMs < Date.parse(before));
	return archivedPage(request, archived);
}

function archivedPage(request: RestRequest, archived: readonly Thread[]): object {
	const threadsMax = integerParam(request.query, "limit", { min: 2, max: LISTED_MAX }) ?? 50;
	return toList(request, archived.slice(0, threadsMax), archived.length > threadsMax);
}

export function listArchivedPublic(request: RestRequest): object {
	return archivedBefore(request, (thread) => !isPrivate(thread));
}

export function listArchivedPrivate(request: RestRequest): object {
	requireChannelPermission(request, Permission.ManageThreads);
	return archivedBefore(request, isPrivate);
}

/** Lists the private threads of which the bot is a member, the newest first, before the id `before`. */
export function listJoinedPrivate(request: RestRequest): object {
	const { members, threads } = request.simulator;
	const before = request.query.get("before");
	const joined = threads
		.archivedIn(channelOf(request).id, (thread) => isPrivate(thread) && isThreadMember(thread, members.bot.id))
		.filter(({ id }) => before === null || compareSnowflakes(id, before) < 0)
		.toSorted((one, other) => compareSnowflakes(other.id, one.id));
	return archivedPage(request, joined);
}
