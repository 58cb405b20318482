/** Rejected requests: code, envelope, and no effect. All codes are our choice. */
import { expect, test } from "vitest";
import { REQUEST, setup } from "../testing/studio-setup.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE" | "PATCH";
type Request = readonly [method: Method, path: string, more?: object];

const json = (payload: string | Buffer): object => ({ payload, headers: { "content-type": "application/json" } });
const typed = (type: string, payload = JSON.stringify(REQUEST)): object => ({
	payload,
	headers: { "content-type": type },
});
const submit = (more: object): Request => ["POST", "/generate", more];
const submitWith = (change: object): Request => submit({ body: { ...REQUEST, ...change } });
const list = (query: string): Request => ["GET", `/tasks?${query}`];
const batch = (body?: unknown): Request => ["POST", "/tasks/query", { body }];
const upload = (type: string, payload: string): Request => ["POST", "/uploads", typed(type, payload)];
const FORM = "multipart/form-data; boundary=edge";
const DEEP = `${JSON.stringify(REQUEST).slice(0, -1)},"options":{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;

/** By code; the third column is the first field of `details`. */
const REJECTED: readonly (readonly [code: number, request: Request, field?: string])[] = [
	...["", '{"mediaType":', "hello", "[]", "1", "null", Buffer.from([0x22, 0xff, 0xfe, 0x22])].map(
		(payload) => [40000, submit(json(payload))] as const,
	),
	...["", " ", "two, headers", "ключ", "x".repeat(256), "\u007f"].map(
		(key) => [40000, submit({ body: REQUEST, headers: { "idempotency-key": key } })] as const,
	),
	[40000, submit({ payload: DEEP, headers: { "content-type": "application/json", "idempotency-key": "deep" } })],
	...["/media/", "/media/x.png", "/media/../studio.key", "/other"].map(
		(path) =>
			[40005, submitWith({ options: { image_input: [`http://studio.test${path}`] } }), "options.image_input"] as const,
	),
	[40200, submitWith({})],
	[41300, submit(json("x".repeat(1024 * 1024 + 1)))],
	...["text/plain", "application/x-www-form-urlencoded", FORM, "application/jsonp", ";;"].map(
		(type) => [41500, submit(typed(type))] as const,
	),
	[41500, submit({})],
	[40001, batch({}), "taskIds"],
	[40006, batch({ taskIds: "task_1" }), "taskIds"],
	[40006, batch({ taskIds: ["task_1", 7] }), "taskIds.1"],
	[40006, batch({ taskIds: Array.from({ length: 101 }, () => "task_1") }), "taskIds"],
	[41500, batch()],

	...["limit=0", "limit=101", "limit=1e1", "limit=2&limit=3"].map((query) => [40006, list(query), "limit"] as const),
	[40006, list("status=done"), "status"],
	[40006, list("cursor=nonsense"), "cursor"],
	[40006, list("model=a&model=b"), "model"],
	[40006, list("idempotencyKey=%20"), "idempotencyKey"],
	[40002, list("mediaType=sculpture"), "mediaType"],
	...["poem", "", "image&mediaType=video"].map(
		(query) => [40002, ["GET", `/models?mediaType=${query}`], "mediaType"] as const,
	),

	[40000, upload(FORM, "--edge\r\ncontent-dis")],
	[40000, upload("multipart/form-data", "x")],
	[40001, upload(FORM, "--edge--\r\n"), "file"],
	[40001, upload(FORM, '--edge\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--edge--\r\n'), "file"],
	[41500, upload("application/json", "{}")],

	...["", "/", "/nothing", "/task/", "/task/task_00000000000000000000000000000000", "/task/x::y"].map(
		(path) => [40400, ["GET", path]] as const,
	),
	...["/task/..%2f..%2fetc", "/task/%00", `/task/${"x".repeat(3000)}`, "/task/%E0%A4%A", "/task/%ff/cancel"].map(
		(path) => [40400, ["GET", path]] as const,
	),
	[40400, ["POST", "/generate/more"]],

	// Without a key the body is not read.
	[40100, submit({ ...typed("text/plain", "x".repeat(2_000_000)), key: null })],
	[40100, ["POST", "/uploads", { payload: "x", key: null }]],
	[40100, ["GET", "/models", { key: null }]],
];

test("every rejected request has its code in the envelope and changes no state", async () => {
	const { call, store, readBalance } = await setup({ credits: 3 });
	const before = await readBalance();
	for (const [code, [method, path, more], field] of REJECTED) {
		const { status, headers, body } = await call(method, `/api/v1${path}`, more);
		const reply = { request: `${method} ${path.slice(0, 60)}`, status, code: body.code, data: body.data };
		expect(reply).toStrictEqual({ ...reply, status: Math.floor(code / 100), code, data: null });
		expect((body.details as { field: string }[] | undefined)?.[0]?.field).toBe(field);
		expect(headers).toMatchObject({ "x-request-id": body.requestId, "cache-control": "no-store" });
	}
	expect(await readBalance()).toStrictEqual(before);
	for (const prefix of ["studio-task:", "studio-open:", "studio-list:"]) {
		expect(await Array.fromAsync(store.scan(prefix))).toStrictEqual([]);
	}
});

test.each([
	["GET", "/generate", "POST"],
	["PUT", "/task/task_1", "GET, HEAD"],
	["PATCH", "/models", "GET, HEAD"],
] as const)("%s %s is 405 and names the right methods", async (method, path, allow) => {
	const { call } = await setup();
	const reply = await call(method, `/api/v1${path}`, typed("text/xml", "<xml/>"));
	expect(reply).toMatchObject({ status: 405, body: { code: 40500 }, headers: { allow } });
});

test("the message is the first problem, with the valid values", async () => {
	const { body } = await (await setup()).submit({ ...REQUEST, options: { aspect_ratio: "7" } });
	expect(body.message).toBe("options.aspect_ratio: must be one of 1:1, 16:9");
	expect(body.details).toStrictEqual([{ field: "options.aspect_ratio", message: "must be one of 1:1, 16:9" }]);
});

test("the message of a credit shortage has the price and the balance", async () => {
	const { body } = await (await setup({ credits: 3 })).submit();
	expect(body.message).toBe("this costs 4 credits and 3 are available");
});
