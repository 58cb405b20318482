/** The handlers of the admin API; `docs/playground.md` describes their effects. */
import { EntitlementType } from "discord-api-types/v10";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { AdjustableClock } from "../adjustable-clock.ts";
import type { FaultList } from "../fault-injection.ts";
import type { Gateway } from "../gateway/gateway.ts";
import { PageApiError, parseBody } from "../page/page-error.ts";
import { toPageMember } from "../page/user-view.ts";
import type { Recorder } from "../recording/recorder.ts";
import type { RequestLog } from "../rest/request-log.ts";
import { routes } from "../rest/routes.ts";
import type { Guild, GuildChannel } from "../simulator/documents.ts";
import type { Simulator } from "../simulator/simulator.ts";
import {
	type AdminInputs,
	adminInputs,
	type AdminReads,
	type AdminRouteName,
	type AdminState,
} from "./admin-contract.ts";

const ROUTE_NAMES = new Set(routes.map(({ method, path }) => `${method} ${path}`));

export interface AdminDeps {
	readonly simulator: Simulator;
	readonly faults: FaultList;
	readonly clock: AdjustableClock;
	readonly gateway: Gateway;
	readonly requestLog: RequestLog;
	readonly recorder: Recorder;
}

type Output<Name extends AdminRouteName> = z.output<AdminInputs[Name]>;
type Changes = {
	readonly [Name in Exclude<AdminRouteName, keyof AdminReads>]: (input: Output<Name>, guild: Guild) => void;
};
type Reads = { readonly [Name in keyof AdminReads]: (input: Output<Name>, guild: Guild) => AdminReads[Name] };

/** Registers the routes inside the page's scope, so that its host guard and error handling apply. */
export function registerAdminRoutes(scope: FastifyInstance, deps: AdminDeps): void {
	const { simulator, faults, clock, gateway, requestLog, recorder } = deps;
	const { adminSettings, guilds, installs, members, channels, messages, entitlements, events, oauth2 } = simulator;

	function selectedGuild(request: FastifyRequest): Guild {
		const { guild: id } = request.query as { guild?: string };
		const found = id === undefined ? guilds.first : guilds.find(id);
		if (!found) throw new PageApiError(404, "Unknown server.");
		return found;
	}

	const stateOf = (guild: Guild): AdminState => ({
		nowMs: clock.nowMs(),
		guild: { id: guild.id, name: guild.name },
		guildCount: guilds.all.length,
		files: adminSettings.fileLimitsIn(guild),
		isBotMember: adminSettings.isBotMember(guild),
		overwrites: channels.inGuild(guild).map(({ id: channelId }) => ({
			channelId,
			overwrites: channels.overwritesOf(channelId),
		})),
		closedDirectUserIds: [...adminSettings.closedDirectUserIds],
		faults: faults.list(),
		heartbeatIntervalMs: adminSettings.heartbeatIntervalMs,
		answersResume: adminSettings.answersResume,
		redirectUris: oauth2.redirectUris(),
		guildSettings: { locale: adminSettings.localeOf(guild), boostLevel: adminSettings.boostLevelOf(guild) },
		roles: channels.roles(guild).map(({ id, name, permissions }) => ({ id, name, permissions })),
		botRoleId: guild.botRoleId,
		members: members.inGuild(guild).map((user) => toPageMember(simulator, guild, user)),
		skus: entitlements.skus(),
		entitlements: entitlements.list(),
	});

	/** Permissions and deletion concern a channel, not a thread in it. */
	function guildChannelOf(channelId: string): GuildChannel {
		const channel = channels.find(channelId);
		if (channel?.kind !== "guild" || channel.thread) throw new PageApiError(404, "Unknown channel of a server.");
		return channel;
	}

	function checkUser(userId: string): void {
		if (!members.find(userId)) throw new PageApiError(404, "Unknown user.");
	}

	const changes: Changes = {
		reset() {
			faults.clear();
			simulator.reset();
		},
		advanceClock({ advanceMs }) {
			clock.advance(advanceMs);
			events.emit({ type: "view" });
		},
		setFiles({ bytesMax, announcedBytesMax = bytesMax, requestBytesMax }) {
			adminSettings.fileLimits = { bytesMax, announcedBytesMax, requestBytesMax };
		},
		expire({ interactionId }) {
			if (!simulator.interactions.expire(interactionId)) throw new PageApiError(404, "Unknown interaction.");
		},
		setOverwrites({ channelId, overwrites }) {
			const channel = guildChannelOf(channelId);
			channels.changeOverwrites([channel], () => adminSettings.overwrites.set(channel.id, overwrites));
		},
		deleteMessage({ channelId, messageId }) {
			const message = messages.find(channelId, messageId);
			if (!message) throw new PageApiError(404, "Unknown message.");
			messages.remove(message);
		},
		deleteChannel({ channelId }) {
			const channel = guildChannelOf(channelId);
			simulator.atomically(() => channels.remove(channel));
		},
		setAcceptsDirectMessages({ userId, isOpen }) {
			checkUser(userId);
			if (isOpen) adminSettings.closedDirectUserIds.delete(userId);
			else adminSettings.closedDirectUserIds.add(userId);
		},
		setMember({ userId, locale, roleIds }, guild) {
			if (!guild.memberIds.includes(userId)) throw new PageApiError(404, "Unknown user.");
			const known = new Set(channels.assignableRoles(guild).map(({ id }) => id));
			if (roleIds?.some((id) => !known.has(id))) throw new PageApiError(404, "Unknown role.");
			// The locale belongs to the user in every guild.
			if (locale === null) adminSettings.locales.delete(userId);
			else if (locale !== undefined) adminSettings.locales.set(userId, locale);
			if (roleIds === undefined) events.emit({ type: "view" });
			else members.change(guild, userId, { roleIds });
		},
		addMember({ userId }, guild) {
			checkUser(userId);
			if (guild.memberIds.includes(userId)) throw new PageApiError(409, "The user is a member already.");
			if (members.findBan(guild, userId)) members.unban(guild, userId);
			members.add(guild, userId);
		},
		removeMember({ userId }, guild) {
			if (!guild.memberIds.includes(userId)) throw new PageApiError(404, "Unknown user.");
			if (guild.ownerId === userId) throw new PageApiError(409, "The owner cannot leave.");
			members.remove(guild, userId);
		},
		setBotMembership({ isMember }, guild) {
			const wasMember = installs.isMember(guild);
			adminSettings.changeGuild(guild, { isBotMember: isMember });
			events.emit({ type: "bot", guild, wasMember, isMember: installs.isMember(guild) });
		},
		setRole({ roleId, permissions }, guild) {
			if (!channels.roles(guild).some(({ id }) => id === roleId)) throw new PageApiError(404, "Unknown role.");
			adminSettings.setRolePermissions(guild, roleId, permissions);
			events.emit({ type: "role", guild, roleId });
		},
		setGuild(input, guild) {
			adminSettings.changeGuild(guild, input);
			events.emit({ type: "guild", guild });
		},
		setGuildCount: ({ count }) => installs.setCount(count),
		buy({ userId = members.defaultUser.id, skuId, isForGuild }, guild) {
			checkUser(userId);
			if (!entitlements.skus().some(({ id }) => id === skuId)) throw new PageApiError(404, "Unknown SKU.");
			const bought = { sku_id: skuId, user_id: userId, ...(isForGuild && { guild_id: guild.id }) };
			if (entitlements.findActive(bought))
				throw new PageApiError(409, "The user still has one that the bot has not consumed.");
			entitlements.create({ ...bought, type: EntitlementType.Purchase });
		},
		refund({ entitlementId }) {
			const found = entitlements.find(entitlementId);
			if (!found || found.deleted) throw new PageApiError(404, "Unknown purchase.");
			entitlements.refund(found);
		},
		gateway(action) {
			const connections = gateway.connections();
			if (connections.length === 0) throw new PageApiError(409, "No bot is connected.");
			for (const connection of connections) connection.perform(action);
		},
		setGateway({ heartbeatIntervalMs, answersResume }) {
			adminSettings.heartbeatIntervalMs = heartbeatIntervalMs ?? adminSettings.heartbeatIntervalMs;
			adminSettings.answersResume = answersResume ?? adminSettings.answersResume;
		},
		setRedirectUris({ redirectUris }) {
			adminSettings.redirectUris = redirectUris;
		},
		inject(fault) {
			if (!("act" in fault)) checkRoute(fault.route);
			faults.inject(fault);
		},
		clearFaults: () => faults.clear(),
		clearRecording: () => recorder.clear(),
	};
	const reads: Reads = {
		state: (_, guild) => stateOf(guild),
		guilds({ from, limit }) {
			const listed = guilds.all.slice(from, from + limit);
			const entries = listed.map(({ id, name, channels: guildChannels, memberIds }) => ({
				id,
				name,
				channelIds: guildChannels.map((channel) => channel.id),
				memberIds,
			}));
			return { guildCount: guilds.all.length, guilds: entries };
		},
		routes: () => ({ routes: [...ROUTE_NAMES] }),
		log(query) {
			checkRoute(query.route);
			return { records: requestLog.find(query), counts: requestLog.counts() };
		},
		recording: () => recorder.recording(),
	};

	for (const [name, read] of Object.entries(reads) as [keyof Reads, (input: object, guild: Guild) => object][])
		scope.get(`/playground/admin/${name}`, (request) =>
			read(parseBody<object>(adminInputs[name], request.query), selectedGuild(request)),
		);
	for (const [name, change] of Object.entries(changes) as [keyof Changes, (input: object, guild: Guild) => void][])
		scope.post(`/playground/admin/${name}`, (request) => {
			const { guild: guildId } = request.query as { guild?: string };
			const guild = selectedGuild(request);
			const input = parseBody<object>(adminInputs[name], request.body);
			return recorder.perform({ route: `admin/${name}`, guildId, body: request.body }, () => {
				change(input, guild);
				return stateOf(guild);
			});
		});
}

function checkRoute(name: string | undefined): void {
	if (name === undefined || ROUTE_NAMES.has(name)) return;
	throw new PageApiError(400, `Invalid route: expected one of:\n${[...ROUTE_NAMES].join("\n")}`);
}
