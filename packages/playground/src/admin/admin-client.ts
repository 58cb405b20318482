/** The admin API as a client, for scripts and end-to-end tests. */
import type { GatewayAction, EventFault, RequestFault } from "../fault-injection.ts";
import type { Recording } from "../recording/recording-contract.ts";
import { requestJson } from "../page/page-client.ts";
import type {
	AdminState,
	BoostLevel,
	BotAccess,
	GuildList,
	LogList,
	LogQuery,
	RequestRecord,
	RouteList,
	VerdictCounts,
} from "./admin-contract.ts";

export interface MemberChange {
	readonly locale?: string | null;
	readonly permissions?: string | null;
	readonly roleIds?: readonly string[] | null;
}

export type AdminClient = ReturnType<typeof openAdminClient>;

/**
 * Requests about a guild concern the first one, or the one with this id. Changes return the new state, as `state` does; the
 * other reads return what their names say.
 */
export function openAdminClient(origin: string, guildId?: string) {
	function call<Answer = AdminState>(method: string, path = "", body?: object): Promise<Answer> {
		const url = new URL(`${origin}/playground/admin${path}`);
		if (guildId !== undefined) url.searchParams.set("guild", guildId);
		return requestJson(url, { method, body });
	}
	function log(query: LogQuery = {}): Promise<LogList> {
		const given = Object.entries(query).filter(([, value]) => value !== undefined);
		const texts = given.map(([name, value]): [string, string] => [name, String(value)]);
		return call("GET", `/requests?${new URLSearchParams(texts).toString()}`);
	}
	return {
		state: () => call("GET"),
		reset: () => call("DELETE"),
		advanceClock: (advanceMs: number) => call("POST", "/clock", { advanceMs }),
		setFiles: (files: Pick<AdminState["files"], "bytesMax"> & Partial<AdminState["files"]>) =>
			call("PUT", "/files", files),
		setBotAccess: (channelId: string, access: BotAccess) => call("PUT", "/access", { channelId, access }),
		/** Replaces the overwrites of a channel: 0 is a role, 1 a member. */
		setOverwrites: (
			channelId: string,
			overwrites: readonly { id: string; type: 0 | 1; allow?: string; deny?: string }[],
		) => call("PUT", "/overwrites", { channelId, overwrites }),
		setBotMembership: (isMember: boolean) => call("PUT", "/membership", { isMember }),
		setAcceptsDirectMessages: (userId: string, isOpen: boolean) => call("PUT", "/direct", { userId, isOpen }),
		expire: (interactionId: string) => call("POST", "/expire", { interactionId }),
		deleteMessage: (channelId: string, messageId: string) => call("DELETE", `/messages/${channelId}/${messageId}`),
		deleteChannel: (channelId: string) => call("DELETE", `/channels/${channelId}`),
		inject: (fault: RequestFault) => call("POST", "/faults", fault),
		clearFaults: () => call("DELETE", "/faults"),
		setMember: (userId: string, change: MemberChange) => call("PUT", "/members", { userId, ...change }),
		/** Sets the permissions of the bot's role beyond those of @everyone; `null` for those of the fixture. */
		setBotPermissions: (permissions: bigint | null) =>
			call("PUT", "/bot-permissions", { permissions: permissions === null ? null : permissions.toString() }),
		/** A user joins the server, without roles. */
		addMember: (userId: string) => call("POST", "/members", { userId }),
		removeMember: (userId: string) => call("DELETE", `/members/${userId}`),
		setGuild: (server: { locale?: string; boostLevel?: BoostLevel }) => call("PUT", "/guild", server),
		/** Buys for the first user by default. */
		buy: (skuId: string, userId?: string, { isForGuild = false }: { readonly isForGuild?: boolean } = {}) =>
			call("POST", "/purchases", { skuId, isForGuild, ...(userId !== undefined && { userId }) }),
		refund: (entitlementId: string) => call("DELETE", `/purchases/${entitlementId}`),
		gateway: (act: GatewayAction) => call("POST", "/gateway", act),
		setHeartbeat: (heartbeatIntervalMs: number) => call("PUT", "/gateway", { heartbeatIntervalMs }),
		setAnswersResume: (answersResume: boolean) => call("PUT", "/gateway", { answersResume }),
		setRedirectUris: (redirectUris: readonly string[]) => call("PUT", "/redirect-uris", { redirectUris }),
		injectEventFault: (fault: EventFault) => call("POST", "/events", fault),
		/** Sets the total number of guilds; those without a name of their own are alike. */
		setGuildCount: (count: number) => call("PUT", "/guilds", { count }),
		/** Lists guilds in order, starting at `from`. */
		guilds: (from = 0, limit = 100) => call<GuildList>("GET", `/guilds?from=${from}&limit=${limit}`),
		routes: () => call<RouteList>("GET", "/routes"),
		recording: () => call<Recording>("GET", "/recording"),
		/** Starts again with an empty recording. */
		clearRecording: () => call("DELETE", "/recording"),
		/** Requests and packets of the gateway, oldest first. */
		log,
		/** The requests alone. */
		async requests(after = 0): Promise<{ requests: readonly RequestRecord[]; counts: VerdictCounts }> {
			const { records, counts } = await log({ after, kind: "request" });
			return { requests: records.filter((record) => record.kind === "request"), counts };
		},
	};
}
