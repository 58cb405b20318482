/** Threads, public and private. */
import { PermissionFlagsBits as Permission } from "discord-api-types/v10";
import { hasPermission, requireChannelPermission, requireNotArchived } from "../../actions/channel-permissions.ts";
import {
	type NewThreadBody,
	startThread,
	startThreadFromMessage,
	type ThreadBody,
	threadFields,
} from "../../actions/threads.ts";
import { validateRequest } from "../../schema/validator.ts";
import { apiErrors } from "../../simulator/api-error.ts";
import type { Channel, Guild, GuildChannel, Thread } from "../../simulator/documents.ts";
import { compareSnowflakes } from "../../simulator/discord-formats.ts";
import { archivedMs, isPrivate, isThreadMember } from "../../simulator/threads.ts";
import { booleanParam, integerParam, pageById } from "../read-request.ts";
import { CreatedResponse, type RestRequest } from "../route.ts";
import { messageOf } from "./messages.ts";
import { memberIdOf } from "./guilds.ts";

const LISTED_MAX = 100;

type ThreadMember = Thread["members"][number];

export function createFromMessage(request: RestRequest, channel: Channel): CreatedResponse {
	const thread = startThreadFromMessage(request, channel, messageOf(request, channel), request.body as NewThreadBody);
	return new CreatedResponse(request.simulator.threads.serialize(thread));
}

export function create(request: RestRequest, channel: Channel): CreatedResponse {
	const thread = startThread(request, channel, request.body as NewThreadBody);
	return new CreatedResponse(request.simulator.threads.serialize(thread));
}

type ThreadChannel = GuildChannel & { readonly thread: Thread };

function isThread(channel: Channel): channel is ThreadChannel {
	return channel.kind === "guild" && channel.thread !== undefined;
}

function requireThread(channel: Channel, error = apiErrors.notInThisChannelType): ThreadChannel {
	if (!isThread(channel)) throw error();
	return channel;
}

/**
 * The owner may rename, archive and unarchive an unlocked thread, and change after how long it is hidden. Everything else
 * needs the permission to manage threads, except that any bot may unarchive an unlocked thread.
 */
export function edit(request: RestRequest, channel: Channel): object {
	const { threads } = request.simulator;
	const { thread } = requireThread(channel);
	const body = validateRequest("UpdateThreadRequestPartial", request.body) as ThreadBody;
	const { invitable, ...others } = threadFields(body);
	const changes = { ...others, ...(isPrivate(thread) && invitable !== undefined && { invitable }) };
	const { locked: isLocked } = thread.thread_metadata;
	const mayManage = hasPermission(request, channel, Permission.ManageThreads);
	const isOwner = thread.owner_id === request.actorId;
	const isOnlyUnarchived = Object.keys(changes).join() === "archived" && !changes.archived && !isLocked;
	const needsManage = changes.locked !== undefined || changes.rate_limit_per_user !== undefined || isLocked || !isOwner;
	if (needsManage && !mayManage && !isOnlyUnarchived) throw apiErrors.missingPermissions();
	if (changes.archived !== false) requireNotArchived(channel);
	return threads.serialize(threads.edit(thread, changes));
}

export function remove(request: RestRequest, channel: Channel): object {
	const { simulator } = request;
	// Other channels cannot be deleted: the route is missing for them.
	const { thread } = requireThread(channel, apiErrors.notFound);
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
	const error = userId === request.actorId ? undefined : channels.threadAddError(thread, request.actorId, userId);
	if (error) throw apiErrors[error]();
	threads.addMember(thread, userId);
}

/** The bot leaves, or removes a member. */
export function removeMember(request: RestRequest, channel: Channel): void {
	const { thread } = requireThread(channel);
	const userId = request.param("userOrMe");
	const isSelf = userId === request.actorId;
	if (!isSelf && (!isPrivate(thread) || thread.owner_id !== request.actorId))
		requireChannelPermission(request, channel, Permission.ManageThreads);
	requireNotArchived(channel);
	if (!isSelf) memberOf(thread, userId);
	request.simulator.threads.removeMember(thread, userId);
}

function memberOf({ members }: Thread, id: string): ThreadMember {
	const found = members.find(({ user_id }) => user_id === id);
	if (!found) throw apiErrors.unknownMember();
	return found;
}

function toMember(request: RestRequest, guild: Guild, listed: ThreadMember): object {
	if (!booleanParam(request.query, "with_member")) return listed;
	return { ...listed, member: request.simulator.members.memberOf(guild, listed.user_id) };
}

export function member(request: RestRequest, channel: Channel): object {
	const { guild, thread } = requireThread(channel);
	return toMember(request, guild, memberOf(thread, request.param("userOrMe")));
}

/** Lists in the order of the ids. Needs the members intent of the application. */
export function listMembers(request: RestRequest, channel: Channel): object {
	const { guild, thread } = requireThread(channel);
	const { seed } = request.simulator;
	if (!seed.application.privilegedIntents.includes("GuildMembers")) throw apiErrors.missingAccess();
	const page = pageById(request.query, thread.members, ({ user_id }) => user_id, { limitMax: LISTED_MAX });
	return page.map((each) => toMember(request, guild, each));
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
		.filter((thread) => before === null || archivedMs(thread) < Date.parse(before));
	return archivedPage(request, archived);
}

function archivedPage(request: RestRequest, archived: readonly Thread[]): object {
	const threadsMax = integerParam(request.query, "limit", { min: 2, max: LISTED_MAX }) ?? 50;
	return toList(request, archived.slice(0, threadsMax), archived.length > threadsMax);
}

export function listArchivedPublic(request: RestRequest, channel: Channel): object {
	return archivedBefore(request, channel, (thread) => !isPrivate(thread));
}

export function listArchivedPrivate(request: RestRequest, channel: Channel): object {
	return archivedBefore(request, channel, isPrivate);
}

/** Lists the private threads of which the bot is a member, the newest first, before the id `before`. */
export function listJoinedPrivate(request: RestRequest, channel: Channel): object {
	const before = request.query.get("before");
	const joined = request.simulator.threads
		.archivedIn(channel.id, (thread) => isPrivate(thread) && isThreadMember(thread, request.actorId))
		.filter(({ id }) => before === null || compareSnowflakes(id, before) < 0)
		.toSorted((one, other) => compareSnowflakes(other.id, one.id));
	return archivedPage(request, joined);
}
