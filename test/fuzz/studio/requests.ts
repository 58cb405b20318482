/** Requests that begin as good ones, made of the OpenAPI document, and what can be wrong with a request. */
import * as fc from "fast-check";
import { gzipSync } from "node:zlib";
import { list, record, type Json, type Operation } from "../../conformance/openapi-document.ts";
import { valueOf, wrongValuesOf } from "../../conformance/schema-values.ts";
import { fakePng } from "@atelier/studio/testing/fake-engine";
import { anyText } from "@atelier/common/testing/any-text";
import type { WireRequest } from "./wire.ts";

/** What only the service under test can know. */
export interface Known {
	readonly key: string;
	readonly operations: readonly Operation[];
	readonly orders: readonly Json[];
	/** Tasks by what is special about them. */
	readonly tasks: Readonly<Record<(typeof TASKS)[number], string>>;
}

const TASKS = ["ended", "canceled", "foreign", "unknown"] as const;

/** A request before it is known whom it asks. */
export interface Plan {
	readonly operation: number;
	readonly order: number;
	readonly task: (typeof TASKS)[number];
	readonly repeatKey: number | undefined;
	readonly damages: readonly Damage[];
}

type Damage =
	| { readonly kind: "value"; readonly path: readonly number[]; readonly value: unknown }
	| { readonly kind: "remove"; readonly path: readonly number[] }
	| { readonly kind: "add"; readonly name: string; readonly value: unknown; readonly isOption: boolean }
	/** The n-th thing that its schema forbids. */
	| { readonly kind: "forbidden"; readonly nth: number }
	| { readonly kind: "body"; readonly how: (typeof BODIES)[number]; readonly at: number }
	| { readonly kind: "type"; readonly type: string | undefined }
	| { readonly kind: "header"; readonly name: string; readonly value: string; readonly instead: boolean }
	| { readonly kind: "authorization"; readonly how: (typeof AUTHORIZATIONS)[number] }
	| { readonly kind: "method"; readonly method: string }
	| { readonly kind: "path"; readonly path: string }
	| { readonly kind: "taskId"; readonly taskId: string }
	| { readonly kind: "query"; readonly query: string }
	| { readonly kind: "file"; readonly how: (typeof FILES)[number] };

const BODIES = [
	"cut",
	"twice",
	"empty",
	"gzip",
	"utf16",
	"byteOrderMark",
	"notUtf8",
	"deepList",
	"deepObject",
	"huge",
	"longList",
	"duplicateKeys",
	"hugeNumber",
	"shorterThanSaid",
	"longerThanSaid",
] as const;
const AUTHORIZATIONS = ["none", "wrong", "empty", "basic", "lowerCase", "twoKeys", "long", "keyInQuery"] as const;
const FILES = [
	"noClose",
	"otherBoundary",
	"manyParts",
	"svg",
	"html",
	"pathAsName",
	"empty",
	"noName",
	"field",
	"json",
] as const;

const HOSTILE_URLS = [
	"file:///etc/passwd",
	"http://169.254.169.254/latest/meta-data/",
	"http://127.0.0.1:6379/",
	"https://[::ffff:127.0.0.1]/",
	"https://user:pass@example.com/",
	"https://0x7f000001/",
	"https://example.com:0/",
	"javascript:alert(1)",
	"data:image/png;base64,AAAA",
	"//example.com/x",
	"https://",
	"https://ex\u0430mple.com/\u202e",
	`https://example.com/${"a".repeat(5000)}`,
	"http://studio.test/media/../../etc/passwd",
	"http://studio.test/media/%2e%2e%2f%2e%2e%2fetc%2fpasswd.png",
	"gopher://127.0.0.1:25/x",
	"https://example.com/\r\nX-Injected: 1",
];
const HOSTILE_TEXTS = [
	"",
	" ",
	"\0",
	"\ud800",
	"\u202e@everyone",
	"__proto__",
	"constructor",
	"toString",
	"../../etc/passwd",
	"'; DROP TABLE keyv; --",
	"%s%n%x",
	"${7*7}",
	"<script>alert(1)</script>",
	"\r\nSet-Cookie: a=b",
	"x".repeat(10_001),
	":base64:AAAA",
	"NaN",
	"1e999",
	"0x10",
	"-0",
];
const HOSTILE_VALUES: readonly unknown[] = [
	null,
	true,
	0,
	-1,
	1.5,
	1e308,
	2 ** 53,
	[],
	{},
	[[]],
	[null],
	{ __proto__: 1 },
	{ toString: 1, valueOf: null },
	...HOSTILE_TEXTS,
	...HOSTILE_URLS,
	HOSTILE_URLS,
];
const NAMES = [
	"options",
	"prompt",
	"scene",
	"image_input",
	"callbackUrl",
	"callBackUrl",
	"duration",
	"seed",
	"n",
	"resolution",
	"__proto__",
	"constructor",
	"hasOwnProperty",
	"taskIds",
	"",
	"\0",
];
const TYPES = [
	undefined,
	"",
	"text/plain",
	"application/json; charset=utf-16",
	"application/json; charset=utf-8",
	"APPLICATION/JSON",
	"application/json, text/plain",
	"application/jsonp",
	"application/vnd.api+json",
	"multipart/form-data",
	"multipart/form-data; boundary=",
	`multipart/form-data; boundary=${"b".repeat(300)}`,
	"application/x-www-form-urlencoded",
	";;",
	"a/".repeat(200),
	'application/json\t;\tx="',
];
const HEADERS: readonly (readonly [string, string])[] = [
	["idempotency-key", "a key with spaces"],
	["idempotency-key", ""],
	["idempotency-key", "x".repeat(256)],
	["idempotency-key", "\u00ff\u00fe"],
	["content-encoding", "gzip"],
	["content-encoding", "br, deflate, identity"],
	["transfer-encoding", "chunked"],
	["transfer-encoding", "gzip, chunked"],
	["content-length", "0"],
	["content-length", "-1"],
	["content-length", "1, 2"],
	["content-length", "99999999999999999999"],
	["expect", "100-continue"],
	["expect", "the unexpected"],
	["host", ""],
	["host", "evil.example/..\\"],
	["x-forwarded-for", "127.0.0.1, ::1, <script>"],
	["x-forwarded-host", "evil.example"],
	["x-http-method-override", "DELETE"],
	["x-request-id", "req_000000000000000000000000"],
	["range", "bytes=0-0,1-1,2-2"],
	["accept", "x".repeat(4000)],
	["accept-encoding", "gzip;q=0, *;q=0"],
	["upgrade", "websocket"],
	["upgrade", "h2c"],
	["cookie", "a=".repeat(2000)],
	["x-long", "y".repeat(20_000)],
	["if-none-match", "*"],
	["accept-version", "99.0.0"],
	["bad name", "x"],
	["x-bad-value", "a\0b"],
	["te", "trailers"],
	["connection", "upgrade, keep-alive, close"],
];
const METHODS = [
	"GET",
	"POST",
	"PUT",
	"PATCH",
	"DELETE",
	"HEAD",
	"OPTIONS",
	"TRACE",
	"CONNECT",
	"get",
	"PROPFIND",
	"QUERY",
	"NOSUCH",
	"G ET",
	"",
];
const PATHS = [
	"/api/v1",
	"/api/v1/",
	"//api/v1/models",
	"/api/v1//models",
	"/api/v1/models/",
	"/api/v1/MODELS",
	"/api/v1/./models",
	"/api/v1/../v1/models",
	"/api/v1/%2e%2e/%2e%2e/etc/passwd",
	"/api/v1/task/%00",
	"/api/v1/task/%E0%A4%A",
	"/api/v1/task/%ff%fe",
	`/api/v1/task/${"x".repeat(300)}`,
	`/api/v1/task/${"x".repeat(9000)}`,
	"/api/v1/task/..%2f..%2fcredits",
	"/api/v1/task/__proto__/cancel",
	"/api/v1/task/constructor/events",
	"/api/v1/task/task_\u00e4",
	"/api/v1/models;x=1",
	"/api/v1/models?",
	"/api/v1/models#fragment",
	"http://evil.example/api/v1/models",
	"*",
	"api/v1/models",
	"/api/v1/models HTTP/1.1\r\nX-Injected: 1",
	"/media/../atelier.db",
	"/media/..%2f..%2fetc%2fpasswd",
	"/media/%2e%2e%5catelier.db",
	`/media/${"0".repeat(64)}.png`,
	`/media/${"0".repeat(64)}.html`,
	"/media/",
	"/openapi.json/x",
	"/docs/../api/v1/models",
];
const TASK_IDS = [
	"%00",
	"..",
	"%2e%2e",
	"task_",
	"TASK_0",
	"a b",
	"%F0%9F%A6%8A",
	"x".repeat(128),
	"x".repeat(2000),
	"__proto__",
	"%25",
	":",
	"*",
	"task_0?x",
];
const QUERIES = [
	"?refresh=1&refresh=0",
	"?refresh[]=1",
	"?refresh=%00",
	"?limit=0",
	"?limit=101",
	"?limit=1e2",
	"?limit=-1",
	"?limit=١",
	"?limit=5&limit=6",
	"?cursor=",
	"?cursor=AAAA",
	`?cursor=${"A".repeat(8000)}`,
	"?cursor=..%2f..%2f",
	"?cursor=eyJ0YXNrSWQiOm51bGx9",
	"?status=nope",
	"?status=success&status=failed",
	"?mediaType=__proto__",
	"?model=%F0%9F%A6%8A",
	"?idempotencyKey=",
	"?idempotencyKey=a%20b",
	"?idempotencyKey=a&idempotencyKey=b",
	"?%",
	"?%E0%A4%A=1",
	"?__proto__=1",
	"?constructor[prototype]=1",
	`?${"a=1&".repeat(2000)}`,
	"?=&=&&",
];

const path = fc.array(fc.nat(12), { minLength: 1, maxLength: 4 });
const anyValue = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...HOSTILE_VALUES) },
	{ weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
	{ weight: 1, arbitrary: anyText() },
);

const damage: fc.Arbitrary<Damage> = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant("value"), path, value: anyValue }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant("remove"), path }) },
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant("add"),
			name: fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 20 })),
			value: anyValue,
			isOption: fc.boolean(),
		}),
	},
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant("forbidden"), nth: fc.nat(60) }) },
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant("body"), how: fc.constantFrom(...BODIES), at: fc.nat(200) }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant("type"), type: fc.constantFrom(...TYPES) }) },
	{
		weight: 3,
		arbitrary: fc
			.tuple(fc.constantFrom(...HEADERS), fc.boolean())
			.map(([[name, value], instead]) => ({ kind: "header" as const, name, value, instead })),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant("authorization"), how: fc.constantFrom(...AUTHORIZATIONS) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant("method"), method: fc.constantFrom(...METHODS) }) },
	{
		weight: 1,
		arbitrary: fc.record({ kind: fc.constant("path"), path: fc.oneof(fc.constantFrom(...PATHS), fc.webPath()) }),
	},
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant("taskId"), taskId: fc.constantFrom(...TASK_IDS) }) },
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant("query"),
			query: fc.oneof(
				fc.constantFrom(...QUERIES),
				fc.webQueryParameters().map((each) => `?${each}`),
			),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant("file"), how: fc.constantFrom(...FILES) }) },
);

export const plans: fc.Arbitrary<Plan> = fc.record({
	operation: fc.nat(1000),
	order: fc.nat(1000),
	task: fc.constantFrom(...TASKS),
	repeatKey: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(20) }),
	damages: fc.oneof(
		{ weight: 1, arbitrary: fc.constant([]) },
		{ weight: 8, arbitrary: fc.array(damage, { minLength: 1, maxLength: 3 }) },
	),
});

export interface Drawn {
	readonly operation: Operation;
	readonly request: WireRequest;
}

export function draw(plan: Plan, known: Known): Drawn {
	const operation = pick(known.operations, plan.operation);
	const order = orderOf(record(pick(known.orders, plan.order)), known);
	let json: unknown = operation.takesOrder
		? order
		: operation.body && valueOf(operation.body, { taskIds: Object.values(known.tasks) });
	let taskId = known.tasks[plan.task];
	let type = operation.takesFile ? "multipart/form-data; boundary=b" : operation.body ? "application/json" : undefined;
	let file: (typeof FILES)[number] | undefined;
	let { method } = operation;
	let [given, query] = ["", ""];
	let authorization: (typeof AUTHORIZATIONS)[number] | undefined;
	const bodies: Extract<Damage, { kind: "body" }>[] = [];
	const headers: Extract<Damage, { kind: "header" }>[] = [];
	for (const each of plan.damages) {
		switch (each.kind) {
			case "value":
				json = changed(json, each.path, () => each.value);
				break;
			case "remove":
				json = changed(json, each.path, () => undefined);
				break;
			case "add":
				json = added(json, each);
				break;
			case "forbidden":
				json = forbidden(json, each.nth, operation, record(pick(known.orders, plan.order)));
				break;
			case "body":
				bodies.push(each);
				break;
			case "type":
				({ type } = each);
				break;
			case "header":
				headers.push(each);
				break;
			case "authorization":
				authorization = each.how;
				break;
			case "method":
				({ method } = each);
				break;
			case "path":
				given = each.path;
				break;
			case "taskId":
				({ taskId } = each);
				break;
			case "query":
				({ query } = each);
				break;
			case "file":
				file = each.how;
				break;
		}
	}
	const text = operation.takesFile ? multipart(file) : json === undefined ? "" : (JSON.stringify(json) ?? "");
	const body = bodies.reduce<Buffer>(spoiled, Buffer.isBuffer(text) ? text : Buffer.from(text));
	const lines: [string, string][] = [];
	if (type !== undefined) lines.push(["content-type", type]);
	if (plan.repeatKey !== undefined && operation.method === "POST")
		lines.push(["idempotency-key", `k${plan.repeatKey}`]);
	for (const { name, value, instead } of headers) {
		if (instead) lines.splice(0, lines.length, ...lines.filter(([other]) => other !== name));
		lines.push([name, value]);
	}
	lines.push(...authorizationLines(authorization, known.key));
	if (authorization === "keyInQuery") query = `?api_key=${known.key}`;
	const last = bodies.at(-1)?.how;
	return {
		operation,
		request: {
			method,
			path: (given === "" ? operation.path.replace("{taskId}", taskId) : given) + query,
			headers: lines,
			body,
			lengthOffset: last === "shorterThanSaid" ? 10 : last === "longerThanSaid" ? -2 : 0,
		},
	};
}

function pick<T>(all: readonly T[], n: number): T {
	const found = all[n % all.length];
	if (found === undefined) throw new Error("there is nothing to choose from");
	return found;
}

function orderOf(shape: Json, known: Known): Json {
	const properties = record(shape["properties"]);
	const options = record(record(properties["options"])["properties"]);
	const chosen = Object.entries(options).flatMap(([name, schema]) => {
		const { type } = record(schema);
		return type === "array" ? [] : [[name, valueOf(record(schema), known.tasks)]];
	});
	return {
		mediaType: record(properties["mediaType"])["const"],
		model: record(properties["model"])["const"],
		prompt: "a lighthouse in a storm",
		scene: list(record(properties["scene"])["enum"])[0],
		options: Object.fromEntries(chosen) as Json,
	};
}

/** Something else in one place of a value; the path is taken modulo what there is. `undefined` takes the place out. */
function changed(value: unknown, [at = 0, ...rest]: readonly number[], change: () => unknown): unknown {
	if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return change();
	const keys = Object.keys(value);
	const key = pick(keys, at);
	const inner: unknown = Reflect.get(value, key);
	const next = rest.length === 0 ? change() : changed(inner, rest, change);
	if (Array.isArray(value)) return value.map((each: unknown, n) => (String(n) === key ? next : each));
	return Object.fromEntries(
		Object.entries(value).map(([name, each]) => [name, name === key ? next : (each as unknown)]),
	);
}

function added(json: unknown, { name, value, isOption }: Extract<Damage, { kind: "add" }>): unknown {
	if (typeof json !== "object" || json === null || Array.isArray(json)) return json;
	// A name such as __proto__ is to arrive as a field of its own.
	const put = (to: Json): Json => Object.fromEntries([...Object.entries(to), [name, value]]);
	return isOption ? { ...json, options: put(record((json as Json)["options"])) } : put(json as Json);
}

function wrongFieldsOf(schema: unknown): readonly (readonly [string, unknown])[] {
	return Object.entries(record(record(schema)["properties"])).flatMap(([name, each]) =>
		wrongValuesOf(record(each)).map(({ value }) => [name, value] as const),
	);
}

function forbidden(json: unknown, nth: number, operation: Operation, shape: Json): unknown {
	const fields = wrongFieldsOf(operation.takesOrder ? shape : operation.body);
	const options = wrongFieldsOf(record(shape["properties"])["options"]);
	const all = [
		...fields.map(([name, value]) => ({ ...record(json), [name]: value })),
		...options.map(([name, value]) => ({ ...record(json), options: { [name]: value } })),
	];
	return all.length === 0 ? json : pick(all, nth);
}

const DEEP = 50_000;
const HUGE_BYTES = 1024 * 1024 + 1;

function spoiled(body: Buffer, { how, at }: Extract<Damage, { kind: "body" }>): Buffer {
	switch (how) {
		case "cut":
			return body.subarray(0, at % Math.max(1, body.byteLength));
		case "twice":
			return Buffer.concat([body, body]);
		case "empty":
			return Buffer.alloc(0);
		case "gzip":
			return gzipSync(body);
		case "utf16":
			return Buffer.from(body.toString(), "utf16le");
		case "byteOrderMark":
			return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]);
		case "notUtf8":
			return Buffer.concat([body.subarray(0, at), Buffer.from([0xff, 0xc0, 0x80]), body.subarray(at)]);
		case "deepList":
			return Buffer.from(
				`{"taskIds":${"[".repeat(DEEP)}${"]".repeat(DEEP)},"options":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`,
			);
		case "deepObject":
			return Buffer.from(`${'{"options":'.repeat(DEEP)}1${"}".repeat(DEEP)}`);
		case "huge":
			return Buffer.concat([body, Buffer.alloc(HUGE_BYTES, " ")]);
		case "longList":
			return Buffer.from(`{"taskIds":[${'"task_0",'.repeat(50_000)}"x"]}`);
		case "duplicateKeys":
			return Buffer.from(body.toString().replace(/^\{/, '{"model":"x","prompt":1,"__proto__":{"prompt":"x"},'));
		case "hugeNumber":
			return Buffer.from(body.toString().replace(/\d+/, "9".repeat(400)));
		case "shorterThanSaid":
		case "longerThanSaid":
			return body;
	}
}

function part(name: string, filename: string, type: string, content: Uint8Array | string): Buffer {
	return Buffer.concat([
		Buffer.from(`--b\r\ncontent-disposition: form-data; name="${name}"${filename}\r\ncontent-type: ${type}\r\n\r\n`),
		Buffer.from(content),
		Buffer.from("\r\n"),
	]);
}

function multipart(how?: (typeof FILES)[number]): Buffer {
	const end = Buffer.from("--b--\r\n");
	const good = part("file", '; filename="a.png"', "image/png", fakePng());
	switch (how) {
		case undefined:
			return Buffer.concat([good, end]);
		case "noClose":
			return good;
		case "otherBoundary":
			return Buffer.from(Buffer.concat([good, end]).toString("latin1").replaceAll("--b", "--c"), "latin1");
		case "manyParts":
			return Buffer.concat([
				...Array.from({ length: 50 }, (_, n) => part(`f${n}`, '; filename="a"', "image/png", "x")),
				end,
			]);
		case "svg":
			return Buffer.concat([part("file", '; filename="a.png"', "image/png", "<svg onload='alert(1)'/>"), end]);
		case "html":
			return Buffer.concat([part("file", '; filename="a.html"', "text/html", "<html><script>1</script>"), end]);
		case "pathAsName":
			return Buffer.concat([part("file", '; filename="../../../etc/passwd"', "image/png", fakePng()), end]);
		case "empty":
			return Buffer.concat([part("file", '; filename="a.png"', "image/png", ""), end]);
		case "noName":
			return Buffer.concat([part("", "", "image/png", fakePng()), end]);
		case "field":
			return Buffer.concat([part("file", "", "text/plain", "x".repeat(5000)), end]);
		case "json":
			return Buffer.from('{"file":"x"}');
	}
}

function authorizationLines(
	how: (typeof AUTHORIZATIONS)[number] | undefined,
	key: string,
): readonly [string, string][] {
	switch (how) {
		case undefined:
			return [["authorization", `Bearer ${key}`]];
		case "none":
		case "keyInQuery":
			return [];
		case "wrong":
			return [["authorization", `Bearer sk-${"x".repeat(43)}`]];
		case "empty":
			return [["authorization", "Bearer "]];
		case "basic":
			return [["authorization", `Basic ${Buffer.from(key).toString("base64")}`]];
		case "lowerCase":
			return [["authorization", `bearer ${key}`]];
		case "twoKeys":
			return [
				["authorization", "Bearer wrong"],
				["authorization", `Bearer ${key}`],
			];
		case "long":
			return [["authorization", `Bearer ${"k".repeat(8000)}`]];
	}
}
