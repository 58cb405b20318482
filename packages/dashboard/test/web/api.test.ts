import { describe, expect, test, vi } from "vitest";
import { addressOf } from "../../web/src/api-addresses.ts";
import { ApiError, isOutcomeUnknown } from "../../web/src/api-error.ts";
import { createApi } from "../../web/src/api.ts";

const params = { server: "42" };
const answer = (status: number, body: unknown): Response => new Response(JSON.stringify(body), { status });

function setup(response: Response, { renewSession = async () => false, csrfToken = "token" } = {}) {
	const requests: { url: string; init: RequestInit }[] = [];
	const onLoggedOut = vi.fn<() => void>();
	const { call, download } = createApi({
		fetch: (url, init = {}) => {
			requests.push({ url: url instanceof Request ? url.url : url.toString(), init });
			return Promise.resolve(response.clone());
		},
		csrfToken: () => csrfToken,
		onLoggedOut,
		renewSession,
	});
	return { call, download, requests, onLoggedOut };
}

const errorOf = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

test("an address has the parameters in its path, and the query without missing values", () => {
	expect(addressOf("history", { params, query: { before: 7, kind: undefined } })).toBe(
		"/dashboard/api/servers/42/credits/history?before=7",
	);
	const job = { params: { ...params, job: "1/2" } };
	expect(addressOf("cancelJob", job)).toBe("/dashboard/api/servers/42/jobs/1%2F2/cancel");
});

describe("a call", () => {
	test("sends the CSRF token once it is known, except to read the session, which another user may have begun", async () => {
		const { call, requests } = setup(answer(200, { blocks: [] }));
		await call("unblock", { params: { ...params, member: "7" } });
		await call("blocks", { params });
		await errorOf(call("session"));
		const headers = { "x-csrf-token": "token" };
		expect(requests.map(({ init }) => init)).toMatchObject([
			{ method: "DELETE", headers },
			{ method: "GET", headers },
			{},
		]);
		expect(requests[2]?.init.headers).toStrictEqual({});
		const other = setup(answer(200, { blocks: [] }), { csrfToken: "" });
		await other.call("blocks", { params });
		expect(other.requests[0]?.init.headers).toStrictEqual({});
	});

	test.each([true, false])(
		"with a refused token is repeated if the new session is of the same reader: %s",
		async (isSame) => {
			const forged = answer(403, { error: { code: "forged", message: "Reload." } });
			const { call, requests } = setup(forged, { renewSession: async () => isSame });
			expect(await errorOf(call("unblock", { params: { ...params, member: "7" } }))).toMatchObject({ code: "forged" });
			expect(requests).toHaveLength(isSame ? 2 : 1);
		},
	);
});

test("a response that is cut in its body is no answer, but a refusal stays one", async () => {
	const errors = [200, 409].map(async (status) => {
		const body = new ReadableStream({ start: (controller) => controller.error(new TypeError("terminated")) });
		return await errorOf(setup(new Response(body, { status })).call("blocks", { params }));
	});
	expect(await Promise.all(errors)).toMatchObject([{ code: "no_answer" }, { status: 409, code: "invalid_answer" }]);
});

test("a download has the name of the file, or fails as a call does", async () => {
	const headers = { "content-disposition": 'attachment; filename="credits.csv"' };
	const { name, content } = await setup(new Response("a,b", { headers })).download("historyCsv", { params, query: {} });
	expect([name, await content.text()]).toStrictEqual(["credits.csv", "a,b"]);
	const ended = setup(answer(401, { error: { code: "logged_out", message: "Log in." } }));
	expect(await errorOf(ended.download("exportSettings", { params }))).toMatchObject({ code: "logged_out" });
	expect(ended.onLoggedOut).toHaveBeenCalledOnce();
});

test.each([
	["no response", new ApiError(null, "no_answer", ""), true],
	["an unreadable success", new ApiError(200, "invalid_answer", ""), true],
	["an outage", new ApiError(503, "unavailable", ""), true],
	["a refusal", new ApiError(400, "invalid", ""), false],
	["a bug", new TypeError("x"), true],
])("after %s the outcome is unknown: %s", (_name, error, isUnknown) => {
	expect(isOutcomeUnknown(error)).toBe(isUnknown);
});
