/** The routes of the admin API; `docs/playground.md` describes their effects. */
import { Locale } from "discord-api-types/v10";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { AdjustableClock } from "../adjustable-clock.ts";
import { GatewayAction, EventFault, RequestFault, type FaultList } from "../fault-injection.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { Connection } from "../gateway/session.ts";
import { PageApiError, parseBody } from "../page/page-error.ts";
import { toPageMember } from "../page/user-view.ts";
import type { Recording } from "../recording/recording-contract.ts";
import type { Recorder } from "../recording/recorder.ts";
import type { RequestLog } from "../rest/request-log.ts";
import { routes } from "../rest/routes.ts";
import { GUILDS_MAX } from "../simulator/guilds.ts";
import { accessWith, REQUEST_BYTES_CEILING, REQUEST_BYTES_MAX } from "../simulator/admin-settings.ts";
import type { Guild, GuildChannel } from "../simulator/documents.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { type AdminState, type GuildList, type LogList, LogQuery, type RouteList } from "./admin-contract.ts";

const ADVANCE_MS_MAX = 30 * 24 * 60 * 60_000;
const FILE_BYTES_MAX = 1024 * 1024 * 1024;
const LISTED_GUILDS_MAX = 1_000;
const REDIRECT_URIS_MAX = 10;
const ROUTE_NAMES = new Set(routes.map(({ method, path }) => `${method} ${path}`));

/** An id or a bit field. */
const decimal = z.string().regex(/^\d{1,20}$/);
const locale = z.literal(Object.values(Locale));
const permissionBits = decimal.transform((digits) => BigInt(digits));
const fileBytes = z.number().int().min(1).max(FILE_BYTES_MAX);

export interface AdminDeps {
	readonly simulator: Simulator;
	readonly requestFaults: FaultList<RequestFault>;
	readonly clock: AdjustableClock;
	readonly gateway: Gateway;
	readonly requestLog: RequestLog;
	readonly recorder: Recorder;
}

interface Target {
	/** The guild that the request is about. */
	readonly guild: Guild;
	readonly params: { readonly [name: string]: string };
}

/** Registers the routes inside the page's scope, so that its host guard and error handling apply. */
export function registerAdminRoutes(scope: FastifyInstance, deps: AdminDeps): void {
	const { simulator, requestFaults, clock, gateway, requestLog, recorder } = deps;
	const { adminSettings, guilds, installs, members, channels, messages, entitlements, events, oauth2 } = simulator;

	/** `input` is the schema of the body, or of the query of a GET. Without a result the route returns the admin state. */
	function route<Input>(
		method: "GET" | "POST" | "PUT" | "DELETE",
		path: string,
		input: z.ZodType<Input>,
		handle: (input: Input, target: Target) => object | void,
	): void {
		const isRecorded = method !== "GET" && path !== "/recording";
		scope.route({
			method,
			url: `/playground/admin${path}`,
			handler(request) {
				const guild = guildOf(request);
				const parsed = parseBody(input, method === "GET" ? request.query : request.body);
				const removeAction = isRecorded ? record(method, request) : undefined;
				try {
					return handle(parsed, { guild, params: request.params as Target["params"] }) ?? stateOf(guild);
				} catch (error) {
					removeAction?.();
					throw error;
				}
			},
		});
	}
	const noInput = z.unknown();

	function record(method: string, request: FastifyRequest): () => void {
		const { guild: guildId } = request.query as { guild?: string };
		const { pathname } = new URL(request.url, "http://playground");
		return recorder.action({ method, route: pathname.slice("/playground/".length), guildId, body: request.body });
	}

	function guildOf(request: FastifyRequest): Guild {
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
		access: channels.inGuild(guild).map((channel) => ({
			channelId: channel.id,
			access: accessWith(channels.permissionsIn(channel, members.bot.id)),
		})),
		closedDirectUserIds: [...adminSettings.closedDirectUserIds],
		faults: requestFaults.list(),
		eventFaults: gateway.eventFaults.list(),
		heartbeatIntervalMs: adminSettings.heartbeatIntervalMs,
		answersResume: adminSettings.answersResume,
		redirectUris: oauth2.redirectUris(),
		guildSettings: { locale: adminSettings.localeOf(guild), boostLevel: adminSettings.boostLevelOf(guild) },
		members: members.inGuild(guild).map((user) => toPageMember(simulator, guild, user)),
		skus: entitlements.skus(),
		entitlements: entitlements.list().map((each) => entitlements.serialize(each)),
	});

	/** Permissions and deletion concern a channel, not a thread in it. */
	function guildChannelOf(channelId: string): GuildChannel {
		const channel = channels.find(channelId);
		if (channel?.kind !== "guild" || channel.thread) throw new PageApiError(404, "Unknown channel of a server.");
		return channel;
	}

	function changeOverwrites(changed: readonly GuildChannel[], change: () => void): void {
		const hidden = changed.filter(({ id }) => !channels.botCanRead(id));
		change();
		for (const channel of changed) events.emit({ type: "channelUpdate", channel });
		for (const { id: channelId, guildId } of hidden)
			if (channels.botCanRead(channelId)) events.emit({ type: "threadSync", guildId, channelId });
	}

	function checkUser(userId: string): void {
		if (!members.find(userId)) throw new PageApiError(404, "Unknown user.");
	}

	route("GET", "", noInput, () => {});
	route("DELETE", "", noInput, () => {
		const changed = adminSettings.changedGuildIds().flatMap((id) => guilds.find(id) ?? []);
		const [withBot, withoutBot] = [
			changed.filter((guild) => installs.isMember(guild)),
			changed.filter((guild) => !installs.isMember(guild)),
		];
		const changedRoles = withBot.filter((guild) => adminSettings.botPermissions(guild) !== undefined);
		const changedChannels = adminSettings
			.changedChannelIds()
			.flatMap((id) => channels.find(id) ?? [])
			.filter((channel) => channel.kind === "guild")
			.filter(({ guild }) => installs.isMember(guild));
		requestFaults.clear();
		gateway.eventFaults.clear();
		changeOverwrites(changedChannels, () => adminSettings.reset());
		for (const guild of withBot) events.emit({ type: "guild", guild });
		for (const guild of changedRoles) events.emit({ type: "role", guild, roleId: guild.botRoleId });
		// GUILD_CREATE contains all of this.
		for (const guild of withoutBot)
			events.emit({ type: "bot", guild, wasMember: false, isMember: installs.isMember(guild) });
		members.resetRoles();
		events.emit({ type: "view" });
	});

	route("POST", "/clock", z.strictObject({ advanceMs: z.number().int().min(0).max(ADVANCE_MS_MAX) }), (input) =>
		clock.advance(input.advanceMs),
	);
	route(
		"PUT",
		"/files",
		z.strictObject({
			bytesMax: fileBytes,
			announcedBytesMax: fileBytes.optional(),
			requestBytesMax: z.number().int().min(1).max(REQUEST_BYTES_CEILING).default(REQUEST_BYTES_MAX),
		}),
		({ bytesMax, announcedBytesMax = bytesMax, requestBytesMax }) =>
			adminSettings.setFileLimits({ bytesMax, announcedBytesMax, requestBytesMax }),
	);
	route("POST", "/expire", z.strictObject({ interactionId: decimal }), ({ interactionId }) => {
		if (!simulator.interactions.expire(interactionId)) throw new PageApiError(404, "Unknown interaction.");
	});

	route(
		"PUT",
		"/access",
		z.strictObject({ channelId: decimal, access: z.literal(["all", "noFiles", "readOnly", "none"]) }),
		({ channelId, access }) => {
			const channel = guildChannelOf(channelId);
			changeOverwrites([channel], () => adminSettings.setBotAccess(channel.id, channel.guild, access));
		},
	);
	route(
		"PUT",
		"/overwrites",
		z.strictObject({
			channelId: decimal,
			overwrites: z
				.array(
					z.strictObject({
						id: decimal,
						type: z.literal([0, 1]),
						allow: decimal.default("0"),
						deny: decimal.default("0"),
					}),
				)
				.max(100),
		}),
		({ channelId, overwrites }) => {
			const channel = guildChannelOf(channelId);
			changeOverwrites([channel], () => adminSettings.setOverwrites(channel.id, overwrites));
		},
	);
	route("DELETE", "/messages/:channel/:message", noInput, (_, { params }) => {
		const message = messages.find(params["channel"] ?? "", params["message"] ?? "");
		if (!message) throw new PageApiError(404, "Unknown message.");
		messages.remove(message);
	});
	route("DELETE", "/channels/:channel", noInput, (_, { params }) => {
		const channel = guildChannelOf(params["channel"] ?? "");
		simulator.atomically(() => channels.remove(channel));
	});

	route("PUT", "/direct", z.strictObject({ userId: decimal, isOpen: z.boolean() }), ({ userId, isOpen }) => {
		checkUser(userId);
		if (isOpen) adminSettings.closedDirectUserIds.delete(userId);
		else adminSettings.closedDirectUserIds.add(userId);
	});
	route(
		"PUT",
		"/members",
		// `null` resets a field; absent fields stay unchanged.
		z.strictObject({
			userId: decimal,
			locale: locale.nullable().optional(),
			permissions: permissionBits.nullable().optional(),
			roleIds: z.array(decimal).max(250).nullable().optional(),
		}),
		({ userId, locale: changedLocale, permissions, roleIds }, { guild }) => {
			if (!guild.memberIds.includes(userId)) throw new PageApiError(404, "Unknown user.");
			const known = new Set(channels.roles(guild).map(({ id }) => id));
			const unknown = roleIds?.find((id) => !known.has(id) || id === guild.id);
			if (unknown !== undefined) throw new PageApiError(404, "Unknown role.");
			// The locale belongs to the user in every guild.
			if (changedLocale === null) adminSettings.locales.delete(userId);
			else if (changedLocale !== undefined) adminSettings.locales.set(userId, changedLocale);
			if (permissions !== undefined) adminSettings.setMemberPermissions(guild, userId, permissions);
			if (roleIds === undefined) events.emit({ type: "view" });
			else members.change(guild, userId, { roleIds });
		},
	);

	route("POST", "/members", z.strictObject({ userId: decimal }), ({ userId }, { guild }) => {
		checkUser(userId);
		if (guild.memberIds.includes(userId)) throw new PageApiError(409, "The user is a member already.");
		if (members.findBan(guild, userId)) throw new PageApiError(409, "The user is banned.");
		members.add(guild, userId);
	});
	route("DELETE", "/members/:user", noInput, (_, { guild, params }) => {
		const userId = params["user"] ?? "";
		if (!guild.memberIds.includes(userId)) throw new PageApiError(404, "Unknown user.");
		if (guild.ownerId === userId) throw new PageApiError(409, "The owner cannot leave.");
		members.remove(guild, userId);
	});
	route("PUT", "/membership", z.strictObject({ isMember: z.boolean() }), ({ isMember }, { guild }) => {
		const wasMember = installs.isMember(guild);
		adminSettings.changeGuild(guild, { isBotMember: isMember });
		events.emit({ type: "bot", guild, wasMember, isMember: installs.isMember(guild) });
	});
	route(
		"PUT",
		"/bot-permissions",
		// `null` resets them to those of the fixture.
		z.strictObject({ permissions: permissionBits.nullable() }),
		({ permissions }, { guild }) => {
			adminSettings.changeGuild(guild, { botPermissions: permissions });
			events.emit({ type: "role", guild, roleId: guild.botRoleId });
		},
	);
	route(
		"PUT",
		"/guild",
		z.strictObject({ locale: locale.optional(), boostLevel: z.literal([0, 1, 2, 3]).optional() }),
		(input, { guild }) => {
			adminSettings.changeGuild(guild, input);
			events.emit({ type: "guild", guild });
		},
	);
	route("PUT", "/guilds", z.strictObject({ count: z.number().int().min(1).max(GUILDS_MAX) }), ({ count }) =>
		installs.setCount(count),
	);
	route(
		"GET",
		"/guilds",
		z.object({
			from: z.coerce.number().int().min(0).default(0),
			limit: z.coerce.number().int().min(1).max(LISTED_GUILDS_MAX).default(100),
		}),
		({ from, limit }): GuildList => {
			const listed = guilds.all.slice(from, from + limit);
			const entries = listed.map(({ id, name, channels: guildChannels, memberIds }) => ({
				id,
				name,
				channelIds: guildChannels.map((channel) => channel.id),
				memberIds,
			}));
			return { guildCount: guilds.all.length, guilds: entries };
		},
	);

	route(
		"POST",
		"/purchases",
		z.strictObject({ userId: decimal.optional(), skuId: decimal, isForGuild: z.boolean().default(false) }),
		({ userId = members.defaultUser.id, skuId, isForGuild }, { guild }) => {
			checkUser(userId);
			if (!entitlements.skus().some(({ id }) => id === skuId)) throw new PageApiError(404, "Unknown SKU.");
			if (!entitlements.create({ skuId, userId, guildId: isForGuild ? guild.id : null, isTest: false }))
				throw new PageApiError(409, "The user still has one that the bot has not consumed.");
		},
	);
	route("DELETE", "/purchases/:entitlement", noInput, (_, { params }) => {
		const found = entitlements.find(params["entitlement"] ?? "");
		if (!found || found.isDeleted) throw new PageApiError(404, "Unknown purchase.");
		entitlements.refund(found);
	});

	route("POST", "/gateway", GatewayAction, (action) => {
		const connections = gateway.connections();
		if (connections.length === 0) throw new PageApiError(409, "No bot is connected.");
		for (const connection of connections) perform(action, connection);
	});
	route(
		"PUT",
		"/gateway",
		z.strictObject({
			heartbeatIntervalMs: z.number().int().min(50).max(120_000).optional(),
			answersResume: z.boolean().optional(),
		}),
		({ heartbeatIntervalMs, answersResume }) => {
			adminSettings.heartbeatIntervalMs = heartbeatIntervalMs ?? adminSettings.heartbeatIntervalMs;
			adminSettings.answersResume = answersResume ?? adminSettings.answersResume;
		},
	);
	route(
		"PUT",
		"/redirect-uris",
		z.strictObject({ redirectUris: z.array(z.url({ protocol: /^https?$/ })).max(REDIRECT_URIS_MAX) }),
		({ redirectUris }) => {
			adminSettings.redirectUris = redirectUris;
		},
	);
	route("POST", "/events", EventFault, (fault) => gateway.eventFaults.inject(fault));
	route("DELETE", "/events", noInput, () => gateway.eventFaults.clear());

	const KnownRoute = z.string().refine((name) => ROUTE_NAMES.has(name), {
		error: `expected one of:\n${[...ROUTE_NAMES].join("\n")}`,
	});
	route("POST", "/faults", RequestFault.extend({ route: KnownRoute.optional() }), (fault) =>
		requestFaults.inject(fault),
	);
	route("DELETE", "/faults", noInput, () => requestFaults.clear());
	route("GET", "/routes", noInput, (): RouteList => ({ routes: [...ROUTE_NAMES] }));
	route("GET", "/requests", LogQuery.extend({ route: KnownRoute.optional() }), (query): LogList => ({
		records: requestLog.find(query),
		counts: requestLog.counts(),
	}));
	route("GET", "/recording", noInput, (): Recording => recorder.recording());
	route("DELETE", "/recording", noInput, () => recorder.clear());
}

function perform(action: z.output<typeof GatewayAction>, connection: Connection): void {
	switch (action.act) {
		case "close":
			return connection.closeWithCode(action.code);
		case "reconnect":
			return connection.requestReconnect();
		case "invalidate":
			return connection.invalidate(action.isResumable);
		case "silence":
			return connection.silence();
		case "send":
			return connection.send(action.payload);
	}
}
