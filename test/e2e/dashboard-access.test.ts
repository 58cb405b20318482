/** The access of each reader to every endpoint of the dashboard. */
import { assert, expect, test } from "vitest";
import { type Access, endpoints, type EndpointName, mayKeyUse } from "@atelier/dashboard/contract";
import { withApiKey } from "./dashboard-client.ts";
import { openDashboards } from "./dashboard-setup.ts";

const UNKNOWN_SERVER = "99999999999999999";
/** `logOut` is the last, because its success ends the session. */
const NAMES = [...(Object.keys(endpoints) as EndpointName[]).filter((name) => name !== "logOut"), "logOut"] as const;
/** The answers to a reader with access: requests without a valid body or an existing job fail otherwise. */
const ALLOWED = { status: expect.toBeOneOf([200, 400, 404, 422]) };
const FORBIDDEN = { status: 403, code: "forbidden" };
const NOT_FOUND = { status: 404, code: "not_found" };
const LOGGED_OUT = { status: 401, code: "logged_out" };
const INVALID_KEY = { status: 401, code: "invalid_key" };
const FORGED = { status: 403, code: "forged" };

type Call = (
	name: EndpointName,
	params: Readonly<Record<string, string>>,
) => Promise<{ status: number; body: unknown }>;

/** Returns the answers on endpoints that need one of these rights; the others are forbidden, and the operator's not found. */
function withRights(...rights: readonly Access[]) {
	return (name: EndpointName): object => {
		const { access } = endpoints[name];
		if (rights.includes(access)) return ALLOWED;
		return access === "operator" ? NOT_FOUND : FORBIDDEN;
	};
}

/** Returns the answers to API keys: on endpoints that are open to them, and on the others. */
function byKey(onOpen: object) {
	return (name: EndpointName): object => (mayKeyUse(endpoints[name]) ? onOpen : withRights()(name));
}

test("each endpoint answers each reader by its access", async () => {
	const { origin, owner, ownerId, idOf, login, params } = await openDashboards();
	const admin = await login(ownerId);
	const { key } = (await admin.call("createApiKey", { params, body: { name: "script" } })).body;
	const { server } = params;
	const other = (await owner.state()).guilds.find(({ id }) => id !== server)?.id ?? assert.fail("no second server");
	const asUser = async (userId: string, token?: string): Promise<Call> => {
		const { call } = await login(userId);
		return (name, pathParams) =>
			call(name, { params: pathParams }, token === undefined ? {} : { "x-csrf-token": token });
	};
	const asProgram = (given: string): Call => {
		const call = withApiKey(origin, given);
		return (name, pathParams) => call(name, { params: pathParams });
	};
	const otherSession = await login(ownerId);
	const withoutToken = (name: EndpointName): object => (endpoints[name].method === "GET" ? ALLOWED : FORGED);
	const inOtherServer = withRights("user", "member", "operator");
	const damagedKey = `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`;
	const readers: readonly (readonly [string, Call, string, (name: EndpointName) => object])[] = [
		["no session", await asUser("no user"), server, () => LOGGED_OUT],
		["an owner without the token", await asUser(ownerId, ""), server, withoutToken],
		["an owner with a forged token", await asUser(ownerId, "forged"), server, () => FORGED],
		["an owner with another token", await asUser(ownerId, otherSession.session.body.csrfToken), server, () => FORGED],
		["a member", await asUser(idOf("Ada")), server, withRights("user", "member")],
		["a moderator", await asUser(idOf("Lena")), server, withRights("user", "member", "moderator")],
		["an operator who is a member of the server", await asUser(ownerId), other, inOtherServer],
		["an operator in an unknown server", await asUser(ownerId), UNKNOWN_SERVER, withRights("user", "operator")],
		["the owner", await asUser(ownerId), server, () => ALLOWED],
		["an API key", asProgram(key), server, byKey(ALLOWED)],
		["an API key in another server", asProgram(key), other, byKey(INVALID_KEY)],
		["a damaged API key", asProgram(damagedKey), server, byKey(INVALID_KEY)],
	];
	for (const [reader, call, serverId, expected] of readers) {
		for (const name of NAMES) {
			const { status, body } = await call(name, { server: serverId, job: "1", member: "1", key: "0".repeat(16) });
			const { error } = body as { error?: { code: string } };
			expect({ reader, name, status, code: error?.code }).toMatchObject({ reader, name, ...expected(name) });
		}
	}
});
