/** The admin API as a client, for scripts and end-to-end tests. */
import type { GatewayAction, InjectedEvent, InjectedFault } from "../fault-injection.ts";
import type { PageError } from "../page-contract.ts";
import type { AdminState, BoostLevel, ChannelAccess, RequestList, GuildList } from "./admin-contract.ts";

interface MemberChange {
	readonly locale?: string | null;
	readonly permissions?: string | null;
	readonly roleIds?: readonly string[] | null;
}

export interface AdminClient {
	readonly state: () => Promise<AdminState>;
	readonly reset: () => Promise<AdminState>;
	readonly advanceClock: (advanceMs: number) => Promise<AdminState>;
	readonly setFiles: (
		files: Pick<AdminState["files"], "bytesMax"> & Partial<AdminState["files"]>,
	) => Promise<AdminState>;
	readonly setAccess: (channelId: string, access: Exclude<ChannelAccess, "gone">) => Promise<AdminState>;
	readonly setMembership: (isMember: boolean) => Promise<AdminState>;
	readonly setDirect: (userId: string, isOpen: boolean) => Promise<AdminState>;
	readonly expire: (interactionId: string) => Promise<AdminState>;
	readonly deleteMessage: (channelId: string, messageId: string) => Promise<AdminState>;
	readonly deleteChannel: (channelId: string) => Promise<AdminState>;
	readonly inject: (fault: InjectedFault) => Promise<AdminState>;
	readonly clearFaults: () => Promise<AdminState>;
	readonly setMember: (userId: string, change: MemberChange) => Promise<AdminState>;
	readonly setGuild: (server: { locale?: string; boostLevel?: BoostLevel }) => Promise<AdminState>;
	/** Buys for the first user by default. */
	readonly buy: (skuId: string, userId?: string, options?: { readonly isForGuild?: boolean }) => Promise<AdminState>;
	readonly refund: (entitlementId: string) => Promise<AdminState>;
	readonly gateway: (act: GatewayAction) => Promise<AdminState>;
	readonly setHeartbeat: (heartbeatIntervalMs: number) => Promise<AdminState>;
	readonly setAnswersResume: (answersResume: boolean) => Promise<AdminState>;
	readonly injectEvent: (injected: InjectedEvent) => Promise<AdminState>;
	/** Sets the total number of guilds; those without a name of their own are alike. */
	readonly setGuildCount: (count: number) => Promise<AdminState>;
	/** Lists guilds in order, starting at `from`. */
	readonly guilds: (from?: number, limit?: number) => Promise<GuildList>;
	readonly requests: (after?: number) => Promise<RequestList>;
}

/** Requests about a guild concern the first one, or the one with this id. */
export function openAdminClient(origin: string, guildId?: string): AdminClient {
	async function call<Answer = AdminState>(method: string, path = "", body?: object): Promise<Answer> {
		const url = new URL(`${origin}/playground/admin${path}`);
		if (guildId !== undefined) url.searchParams.set("guild", guildId);
		const response = await fetch(url, {
			method,
			...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
		});
		const answer: unknown = await response.json();
		if (!response.ok) throw new Error((answer as PageError).message);
		return answer as Answer;
	}
	return {
		state: () => call("GET"),
		reset: () => call("DELETE"),
		advanceClock: (advanceMs) => call("POST", "/clock", { advanceMs }),
		setFiles: (files) => call("PUT", "/files", files),
		setAccess: (channelId, access) => call("PUT", "/access", { channelId, access }),
		setMembership: (isMember) => call("PUT", "/membership", { isMember }),
		setDirect: (userId, isOpen) => call("PUT", "/direct", { userId, isOpen }),
		expire: (interactionId) => call("POST", "/expire", { interactionId }),
		deleteMessage: (channelId, messageId) => call("DELETE", `/messages/${channelId}/${messageId}`),
		deleteChannel: (channelId) => call("DELETE", `/channels/${channelId}`),
		inject: (fault) => call("POST", "/faults", fault),
		clearFaults: () => call("DELETE", "/faults"),
		setMember: (userId, change) => call("PUT", "/members", { userId, ...change }),
		setGuild: (server) => call("PUT", "/guild", server),
		buy: (skuId, userId, { isForGuild = false } = {}) =>
			call("POST", "/purchases", { skuId, isForGuild, ...(userId !== undefined && { userId }) }),
		refund: (entitlementId) => call("DELETE", `/purchases/${entitlementId}`),
		gateway: (act) => call("POST", "/gateway", act),
		setHeartbeat: (heartbeatIntervalMs) => call("PUT", "/gateway", { heartbeatIntervalMs }),
		setAnswersResume: (answersResume) => call("PUT", "/gateway", { answersResume }),
		injectEvent: (injected) => call("POST", "/events", injected),
		setGuildCount: (count) => call("PUT", "/guilds", { count }),
		guilds: (from = 0, limit = 100) => call("GET", `/guilds?from=${from}&limit=${limit}`),
		requests: (after = 0) => call("GET", `/requests?after=${after}`),
	};
}
