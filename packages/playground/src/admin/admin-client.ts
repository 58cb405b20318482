/** The admin API as a client, for scripts and end-to-end tests. */
import type { PlantedEvent } from "../gateway/event-injection.ts";
import type { PageError } from "../page-contract.ts";
import type { PlantedFault } from "../rest/fault-injection.ts";
import type { BoostLevel, ChannelAccess } from "../simulator/access.ts";
import type { ControlsState, RequestsSeen, ServersSeen } from "./admin-contract.ts";

type GatewayAct =
	| { readonly act: "close"; readonly code?: number }
	| { readonly act: "invalidate"; readonly isResumable?: boolean }
	| { readonly act: "reconnect" | "silence" }
	| { readonly act: "send"; readonly payload: unknown };

interface MemberChange {
	readonly locale?: string | null;
	readonly permissions?: string | null;
	readonly roleIds?: readonly string[] | null;
}

export interface Controls {
	readonly state: () => Promise<ControlsState>;
	readonly reset: () => Promise<ControlsState>;
	readonly advanceClock: (advanceMs: number) => Promise<ControlsState>;
	readonly setFiles: (
		files: Pick<ControlsState["files"], "bytesMax"> & Partial<ControlsState["files"]>,
	) => Promise<ControlsState>;
	readonly setAccess: (channelId: string, access: Exclude<ChannelAccess, "gone">) => Promise<ControlsState>;
	readonly setMembership: (isMember: boolean) => Promise<ControlsState>;
	readonly setDirect: (userId: string, isOpen: boolean) => Promise<ControlsState>;
	readonly expire: (interactionId: string) => Promise<ControlsState>;
	readonly deleteMessage: (channelId: string, messageId: string) => Promise<ControlsState>;
	readonly deleteChannel: (channelId: string) => Promise<ControlsState>;
	readonly plant: (fault: PlantedFault) => Promise<ControlsState>;
	readonly clearFaults: () => Promise<ControlsState>;
	readonly setMember: (userId: string, change: MemberChange) => Promise<ControlsState>;
	readonly setServer: (server: { locale?: string; boostLevel?: BoostLevel }) => Promise<ControlsState>;
	/** Buys for the first user by default. */
	readonly buy: (
		skuId: string,
		userId?: string,
		options?: { readonly isForServer?: boolean },
	) => Promise<ControlsState>;
	readonly refund: (entitlementId: string) => Promise<ControlsState>;
	readonly gateway: (act: GatewayAct) => Promise<ControlsState>;
	readonly setHeartbeat: (heartbeatIntervalMs: number) => Promise<ControlsState>;
	readonly setAnswersResume: (answersResume: boolean) => Promise<ControlsState>;
	readonly plantEvent: (planted: PlantedEvent) => Promise<ControlsState>;
	/** Sets the total number of guilds; those without a name of their own are alike. */
	readonly setServers: (count: number) => Promise<ControlsState>;
	/** Lists guilds in order, starting at `from`. */
	readonly servers: (from?: number, limit?: number) => Promise<ServersSeen>;
	readonly requests: (after?: number) => Promise<RequestsSeen>;
}

/** Requests about a guild concern the first one, or the one with this id. */
export function openControls(origin: string, serverId?: string): Controls {
	async function call<Answer = ControlsState>(method: string, path = "", body?: object): Promise<Answer> {
		const url = new URL(`${origin}/playground/controls${path}`);
		if (serverId !== undefined) url.searchParams.set("server", serverId);
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
		plant: (fault) => call("POST", "/faults", fault),
		clearFaults: () => call("DELETE", "/faults"),
		setMember: (userId, change) => call("PUT", "/members", { userId, ...change }),
		setServer: (server) => call("PUT", "/server", server),
		buy: (skuId, userId, { isForServer = false } = {}) =>
			call("POST", "/purchases", { skuId, isForServer, ...(userId !== undefined && { userId }) }),
		refund: (entitlementId) => call("DELETE", `/purchases/${entitlementId}`),
		gateway: (act) => call("POST", "/gateway", act),
		setHeartbeat: (heartbeatIntervalMs) => call("PUT", "/gateway", { heartbeatIntervalMs }),
		setAnswersResume: (answersResume) => call("PUT", "/gateway", { answersResume }),
		plantEvent: (planted) => call("POST", "/events", planted),
		setServers: (count) => call("PUT", "/servers", { count }),
		servers: (from = 0, limit = 100) => call("GET", `/servers?from=${from}&limit=${limit}`),
		requests: (after = 0) => call("GET", `/requests?after=${after}`),
	};
}
