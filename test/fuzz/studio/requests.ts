/** Requests that begin as good ones, made of the OpenAPI document, and what can be wrong with a request. */
import * as fc from "fast-check";
import { gzipSync } from "node:zlib";
import { list, record, type Json, type Operation } from "../../conformance/openapi-document.ts";
import { valueOf, wrongValuesOf } from "../../conformance/schema-values.ts";
import { fakePng } from "@atelier/studio/testing/fake-engine";
import { anyText } from "@atelier/common/testing/any-text";
import { HEADERS, METHODS, QUERIES, VALUES } from "../malformed-requests.ts";
import type { WireRequest } from "./raw-http.ts";

/** Values that only the service under test knows. */
export interface Known {
	readonly key: string;
	readonly operations: readonly Operation[];
	readonly submits: readonly Json[];
	/** Tasks by what is special about them. */
	readonly tasks: Readonly<Record<(typeof TASKS)[number], string>>;
}

const TASKS = ["ended", "canceled", "foreign", "unknown"] as const;

/** A request before it is known whom it asks. */
export interface Plan {
	readonly operation: number;
	readonly request: number;
	readonly task: (typeof TASKS)[number];
	readonly repeatKey: number | undefined;
	readonly damages: readonly Damage[];
}

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

const DEEP = 50_000;
const HUGE_BYTES = 1024 * 1024 + 1;
const BODIES = {
	cut: (body, at) => body.subarray(0, at % Math.max(1, body.byteLength)),
	twice: (body) => Buffer.concat([body, body]),
	empty: () => Buffer.alloc(0),
	gzip: (body) => gzipSync(body),
	utf16: (body) => Buffer.from(body.toString(), "utf16le"),
	byteOrderMark: (body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
	notUtf8: (body, at) => Buffer.concat([body.subarray(0, at), Buffer.from([0xff, 0xc0, 0x80]), body.subarray(at)]),
	deepList: () => Buffer.from(`{"taskIds":${nested("[", "]")},"options":${nested("[", "]")}}`),
	deepObject: () => Buffer.from(nested('{"options":', "}", "1")),
	huge: (body) => Buffer.concat([body, Buffer.alloc(HUGE_BYTES, " ")]),
	longList: () => Buffer.from(`{"taskIds":[${'"task_0",'.repeat(50_000)}"x"]}`),
	duplicateKeys: (body) =>
		Buffer.from(body.toString().replace(/^\{/, '{"model":"x","prompt":1,"__proto__":{"prompt":"x"},')),
	hugeNumber: (body) => Buffer.from(body.toString().replace(/\d+/, "9".repeat(400))),
	shorterThanSaid: (body) => body,
	longerThanSaid: (body) => body,
} satisfies Readonly<Record<string, (body: Buffer, at: number) => Buffer>>;

const nested = (open: string, close: string, inner = ""): string => open.repeat(DEEP) + inner + close.repeat(DEEP);

const AUTHORIZATIONS = {
	right: (key) => [`Bearer ${key}`],
	none: () => [],
	keyInQuery: () => [],
	wrong: () => [`Bearer sk-${"x".repeat(43)}`],
	empty: () => ["Bearer "],
	basic: (key) => [`Basic ${Buffer.from(key).toString("base64")}`],
	lowerCase: (key) => [`bearer ${key}`],
	twoKeys: (key) => ["Bearer wrong", `Bearer ${key}`],
	long: () => [`Bearer ${"k".repeat(8000)}`],
} satisfies Readonly<Record<string, (key: string) => readonly string[]>>;

const END = Buffer.from("--b--\r\n");
const A_PNG = '; filename="a.png"';
const goodFile = (): Buffer => Buffer.concat([part("file", A_PNG, "image/png", fakePng()), END]);
const FILES = {
	good: goodFile,
	noClose: () => part("file", A_PNG, "image/png", fakePng()),
	otherBoundary: () => Buffer.from(goodFile().toString("latin1").replaceAll("--b", "--c"), "latin1"),
	manyParts: () =>
		Buffer.concat([...Array.from({ length: 50 }, (_, n) => part(`f${n}`, '; filename="a"', "image/png", "x")), END]),
	svg: () => Buffer.concat([part("file", A_PNG, "image/png", "<svg onload='alert(1)'/>"), END]),
	html: () => Buffer.concat([part("file", '; filename="a.html"', "text/html", "<html><script>1</script>"), END]),
	pathAsName: () => Buffer.concat([part("file", '; filename="../../../etc/passwd"', "image/png", fakePng()), END]),
	empty: () => Buffer.concat([part("file", A_PNG, "image/png", ""), END]),
	noName: () => Buffer.concat([part("", "", "image/png", fakePng()), END]),
	field: () => Buffer.concat([part("file", "", "text/plain", "x".repeat(5000)), END]),
	json: () => Buffer.from('{"file":"x"}'),
} satisfies Readonly<Record<string, () => Buffer>>;

function part(name: string, filename: string, type: string, content: Uint8Array | string): Buffer {
	return Buffer.concat([
		Buffer.from(`--b\r\ncontent-disposition: form-data; name="${name}"${filename}\r\ncontent-type: ${type}\r\n\r\n`),
		Buffer.from(content),
		Buffer.from("\r\n"),
	]);
}

const anyOf = <Table extends object>(table: Table) => fc.constantFrom(...(Object.keys(table) as (keyof Table)[]));

const places = fc.array(fc.nat(12), { minLength: 1, maxLength: 4 });
const anyValue = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...VALUES) },
	{ weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
	{ weight: 1, arbitrary: anyText() },
);

const damage = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant("value"), path: places, value: anyValue }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant("remove"), path: places }) },
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
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant("body"), how: anyOf(BODIES), at: fc.nat(200) }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant("type"), type: fc.constantFrom(...TYPES) }) },
	{
		weight: 3,
		arbitrary: fc
			.tuple(fc.constantFrom(...HEADERS), fc.boolean())
			.map(([[name, value], instead]) => ({ kind: "header" as const, name, value, instead })),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant("authorization"), how: anyOf(AUTHORIZATIONS) }) },
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
			query: fc.oneof(fc.constantFrom(...QUERIES), fc.webQueryParameters()),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant("file"), how: anyOf(FILES) }) },
);

type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never;

export const plans: fc.Arbitrary<Plan> = fc.record({
	operation: fc.nat(1000),
	request: fc.nat(1000),
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
	const request = orderOf(record(pick(known.submits, plan.request)), known);
	const last = <Kind extends Damage["kind"]>(kind: Kind) => plan.damages.findLast((each) => isKind(each, kind));
	const good: unknown = operation.takesOrder
		? request
		: operation.body && valueOf(operation.body, { taskIds: Object.values(known.tasks) });
	const json = plan.damages.reduce((value, each) => {
		if (each.kind === "value") return changed(value, each.path, () => each.value);
		if (each.kind === "remove") return changed(value, each.path, () => undefined);
		if (each.kind === "add") return added(value, each);
		if (each.kind !== "forbidden") return value;
		return forbidden(value, each.nth, operation, record(pick(known.submits, plan.request)));
	}, good);
	const usualType = operation.takesFile
		? "multipart/form-data; boundary=b"
		: operation.body
			? "application/json"
			: undefined;
	const changedType = last("type");
	const type = changedType ? changedType.type : usualType;
	const authorization = last("authorization")?.how ?? "right";
	const query = authorization === "keyInQuery" ? `api_key=${known.key}` : last("query")?.query;
	const path =
		last("path")?.path ?? operation.path.replace("{taskId}", last("taskId")?.taskId ?? known.tasks[plan.task]);
	const text = operation.takesFile
		? FILES[last("file")?.how ?? "good"]()
		: Buffer.from(json === undefined ? "" : (JSON.stringify(json) ?? ""));
	const body = plan.damages
		.filter((each) => isKind(each, "body"))
		.reduce<Buffer>((spoiled, { how, at }) => BODIES[how](spoiled, at), text);
	const lines: [string, string][] = [];
	if (type !== undefined) lines.push(["content-type", type]);
	if (plan.repeatKey !== undefined && operation.method === "POST")
		lines.push(["idempotency-key", `k${plan.repeatKey}`]);
	for (const { name, value, instead } of plan.damages.filter((each) => isKind(each, "header"))) {
		if (instead) lines.splice(0, lines.length, ...lines.filter(([other]) => other !== name));
		lines.push([name, value]);
	}
	for (const value of AUTHORIZATIONS[authorization](known.key)) lines.push(["authorization", value]);
	const length = last("body")?.how;
	return {
		operation,
		request: {
			method: last("method")?.method ?? operation.method,
			path: query === undefined ? path : `${path}?${query}`,
			headers: lines,
			body,
			lengthOffset: length === "shorterThanSaid" ? 10 : length === "longerThanSaid" ? -2 : 0,
		},
	};
}

function isKind<Kind extends Damage["kind"]>(each: Damage, kind: Kind): each is Extract<Damage, { kind: Kind }> {
	return each.kind === kind;
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
