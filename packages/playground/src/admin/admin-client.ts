/** The routes of the admin API, and a client for scripts and end-to-end tests. */
import type { z } from "zod";
import { requestJson } from "../page/page-client.ts";
import type {
	AdminInputs,
	AdminReads,
	AdminRouteName,
	AdminState,
	RequestRecord,
	VerdictCounts,
} from "./admin-contract.ts";

/** The method of each route, and its path below `/playground/admin`. */
export const adminRoutes = {
	state: ["GET", ""],
	reset: ["DELETE", ""],
	advanceClock: ["POST", "/clock"],
	setFiles: ["PUT", "/files"],
	expire: ["POST", "/expire"],
	setOverwrites: ["PUT", "/overwrites"],
	deleteMessage: ["DELETE", "/messages/:channelId/:messageId"],
	deleteChannel: ["DELETE", "/channels/:channelId"],
	setAcceptsDirectMessages: ["PUT", "/direct"],
	setMember: ["PUT", "/members"],
	addMember: ["POST", "/members"],
	removeMember: ["DELETE", "/members/:userId"],
	setBotMembership: ["PUT", "/membership"],
	setRole: ["PUT", "/roles"],
	setGuild: ["PUT", "/guild"],
	setGuildCount: ["PUT", "/guilds"],
	guilds: ["GET", "/guilds"],
	buy: ["POST", "/purchases"],
	refund: ["DELETE", "/purchases/:entitlementId"],
	gateway: ["POST", "/gateway"],
	setGateway: ["PUT", "/gateway"],
	setRedirectUris: ["PUT", "/redirect-uris"],
	injectEventFault: ["POST", "/events"],
	clearEventFaults: ["DELETE", "/events"],
	inject: ["POST", "/faults"],
	clearFaults: ["DELETE", "/faults"],
	routes: ["GET", "/routes"],
	log: ["GET", "/requests"],
	recording: ["GET", "/recording"],
	clearRecording: ["DELETE", "/recording"],
} as const satisfies { readonly [Name in AdminRouteName]: readonly [method: string, path: string] };

type InputOf<Name extends AdminRouteName> = z.input<AdminInputs[Name]>;
type AnswerOf<Name extends AdminRouteName> = Name extends keyof AdminReads ? AdminReads[Name] : AdminState;

type AdminRequests = {
	readonly [Name in AdminRouteName]: (
		...input: Partial<InputOf<Name>> extends InputOf<Name> ? [InputOf<Name>?] : [InputOf<Name>]
	) => Promise<AnswerOf<Name>>;
};

export type AdminClient = ReturnType<typeof openAdminClient>;

/** Requests about a guild concern the first one, or the one with this id. Changes return the new state, as `state` does. */
export function openAdminClient(origin: string, guildId?: string) {
	function call(method: string, path: string, input: object): Promise<unknown> {
		const fields = new Map<string, unknown>(Object.entries(input).filter(([, value]) => value !== undefined));
		const filledPath = path.replaceAll(/:(\w+)/g, (_, name: string) => {
			const value = String(fields.get(name));
			fields.delete(name);
			return value;
		});
		const url = new URL(`${origin}/playground/admin${filledPath}`);
		if (guildId !== undefined) url.searchParams.set("guild", guildId);
		if (method === "GET") for (const [name, value] of fields) url.searchParams.set(name, String(value));
		const hasBody = method === "POST" || method === "PUT";
		return requestJson(url, { method, ...(hasBody && { body: Object.fromEntries(fields) }) });
	}
	const requests = Object.fromEntries(
		Object.entries(adminRoutes).map(([name, [method, path]]) => [
			name,
			(input: object = {}) => call(method, path, input),
		]),
	) as unknown as AdminRequests;
	return {
		...requests,
		/** The requests of the log alone. */
		async requests(after = 0): Promise<{ requests: readonly RequestRecord[]; counts: VerdictCounts }> {
			const { records, counts } = await requests.log({ after, kind: "request" });
			return { requests: records.filter((record) => record.kind === "request"), counts };
		},
	};
}
