/** Damage to HTTP requests: each value has caused faults in servers before. */
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { fakePng } from "@atelier/studio/testing/fake-engine";
import type { WireRequest } from "./raw-http.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE", "HEAD", "TRACE", "CONNECT", "get", "QUERY", "NOSUCH", "G ET", ""];

const HEADERS: readonly (readonly [string, string])[] = [
	["idempotency-key", "a key with spaces"],
	["idempotency-key", "x".repeat(256)],
	["idempotency-key", "\u00ff\u00fe"],
	["content-encoding", "gzip"],
	["content-encoding", "br, deflate, identity"],
	["transfer-encoding", "chunked"],
	["transfer-encoding", "gzip, chunked"],
	["content-length", "0"],
	["content-length", "-1"],
	["content-length", "99999999999999999999"],
	["expect", "100-continue"],
	["expect", "the unexpected"],
	["host", ""],
	["host", "evil.example/..\\"],
	["x-forwarded-for", "127.0.0.1, ::1, <script>"],
	["x-http-method-override", "DELETE"],
	["x-request-id", "req_000000000000000000000000"],
	["range", "bytes=0-0,1-1,2-2"],
	["accept", "x".repeat(4000)],
	["accept-encoding", "gzip;q=0, *;q=0"],
	["upgrade", "websocket"],
	["upgrade", "h2c"],
	["cookie", "a=".repeat(2000)],
	["x-long", "y".repeat(20_000)],
	["bad name", "x"],
	["x-bad-value", "a\0b"],
	["connection", "upgrade, keep-alive, close"],
	["host", "a b"],
	["origin", "https://evil.example"],
	["origin", "http://["],
	["authorization", ""],
	["authorization", `Bot ${"x".repeat(8_000)}`],
	["authorization", "Bot \u00ff"],
	["range", "bytes=-"],
	["range", "bytes=99999999999999999999-"],
	["range", `bytes=${"0-1,".repeat(500)}0-1`],
	["if-modified-since", "not a day"],
	["accept", "\u00ff"],
	["webhook-id", "\u0000"],
	["webhook-timestamp", "999999999999"],
	["webhook-signature", `v1,${"A".repeat(4_000)} v1,=`],
];

const QUERIES = [
	"refresh=1&refresh=0",
	"refresh[]=1",
	"limit=0",
	"limit=101",
	"limit=١",
	"cursor=AAAA",
	`cursor=999999999999999-task_${"0".repeat(32)}`,
	"status=nope",
	"mediaType=__proto__",
	"idempotencyKey=a&idempotencyKey=b",
	"%E0%A4%A=1",
	"__proto__=1",
	"a=1&".repeat(2000),
	"constructor[prototype][x]=1",
	"limit=-1&before=x&after=1e9",
	"&&&&==",
	"q=".padEnd(3_000, "x"),
	"expires=1&signature=%ff",
];

const CONTENT_TYPES = [
	"",
	"text/plain",
	"application/json; charset=utf-16",
	"APPLICATION/JSON",
	"application/json, text/plain",
	"application/vnd.api+json",
	"multipart/form-data",
	"multipart/form-data; boundary=",
	`multipart/form-data; boundary=${"b".repeat(300)}`,
	"application/x-www-form-urlencoded",
	";;",
	"a/".repeat(200),
	'application/json\t;\tx="',
];

/** Path segments in the place of an id. */
export const pathSegments = fc.constantFrom(
	"",
	"..",
	"%2e%2e",
	"%2e%2e%2f%2e%2e%2fsecret.txt",
	"..%5c..%5csecret.txt",
	"....//secret.txt",
	"%c0%ae%c0%ae%c0%af",
	"%00",
	"%ff",
	"%",
	"%ed%a0%80",
	"%F0%9F%A6%8A",
	"__proto__",
	"1e308",
	"9".repeat(400),
	"x".repeat(3_000),
	"@original",
	"*",
	";a=b",
	"?x",
	"\u202e",
);

/** Replaces the first or the second parameter in a path: its position and its value. */
export type PathParam = readonly [number, string] | undefined;
export const pathParams: fc.Arbitrary<PathParam> = fc.oneof(
	{ weight: 4, arbitrary: fc.constant(undefined) },
	{ weight: 1, arbitrary: fc.tuple(fc.nat(1), pathSegments) },
);

/** Fills the parameters of a path such as `/servers/:server`; `replaced` wins. */
export function fillPath(template: string, params: Readonly<Record<string, string>>, replaced: PathParam): string {
	let position = 0;
	return template.replaceAll(/:([a-z]+)/gi, (_, name: string) =>
		position++ === replaced?.[0] ? replaced[1] : (params[name] ?? "1"),
	);
}

const TARGETS = [
	"*",
	"//",
	"//evil.example:99999/playground/state",
	"http://[",
	"http://[/api/v10/gateway",
	"/../../../../etc/passwd",
	"/..%2f..%2fsecret.txt",
	"/%2e%2e/%2e%2e/package.json",
	"/app.js/../../playground.ts",
	"/app.js%00.png",
	"/.git/config",
	"/#",
	"/\\..\\secret.txt",
	`/${"a/".repeat(4_000)}`,
	"api/v1/models",
	"/api/v1//models",
	"/api/v1/models/",
	"/api/v1/MODELS",
	"/api/v1/task/..%2f..%2fcredits",
	"/api/v1/task/constructor/events",
	"/api/v1/models HTTP/1.1\r\nX-Injected: 1",
	"/media/../atelier.db",
	"/media/..%2f..%2fetc%2fpasswd",
	`/media/${"0".repeat(64)}.html`,
];

const NESTING_DEPTH = 50_000;
const HUGE_BYTES = 1024 * 1024 + 1;
const nested = (open: string, close: string, inner = ""): string =>
	open.repeat(NESTING_DEPTH) + inner + close.repeat(NESTING_DEPTH);
const BODIES = {
	cut: (body, at) => body.subarray(0, at % Math.max(1, body.byteLength)),
	twice: (body) => Buffer.concat([body, body]),
	empty: () => Buffer.alloc(0),
	gzip: (body) => gzipSync(body),
	gzipBomb: () => gzipSync(Buffer.alloc(1_000_000, " ")),
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
	notAnObject: () => Buffer.from("null"),
} satisfies Readonly<Record<string, (body: Buffer, at: number) => Buffer>>;

/** A form with one file, or several copies of it. */
interface Multipart {
	readonly name: string;
	readonly filename: string;
	readonly type: string;
	readonly content: string;
	readonly copies: number;
	readonly boundary: string;
	readonly isClosed: boolean;
}

export const VALID_FILE: Multipart = {
	name: "file",
	filename: "a.png",
	type: "image/png",
	content: Buffer.from(fakePng()).toString("latin1"),
	copies: 1,
	boundary: "b",
	isClosed: true,
};
const multipart: fc.Arbitrary<Multipart> = fc.record({
	name: fc.constantFrom("file", "files[0]", "payload_json", "__proto__", "files[99999999999]", ""),
	filename: fc.constantFrom(
		"a.png",
		"../../secret.txt",
		"a\u202egnp.exe",
		"\ud800.png",
		`${"n".repeat(2_000)}.svg`,
		"",
		"a\r\nX-A: 1",
		".",
		"Z\u0351\u0352algo.html",
	),
	type: fc.constantFrom("image/png", "text/html", "text/plain", "application/json"),
	content: fc.constantFrom(
		VALID_FILE.content,
		"",
		"<svg onload='alert(1)'/>",
		"<html><script>1</script>",
		"x".repeat(5000),
	),
	copies: fc.constantFrom(1, 1, 1, 50),
	boundary: fc.constantFrom("b", "b", "b", "c"),
	isClosed: fc.boolean(),
});

/** One damage to a request. Each field that is present changes one part of it. */
export interface RequestDamage {
	readonly method?: string;
	/** Replaces the whole target of the request line. */
	readonly target?: string;
	/** Is appended to the path. */
	readonly segment?: string;
	readonly query?: string;
	readonly header?: { readonly name: string; readonly value: string; readonly replaces: boolean };
	readonly body?: { readonly how: keyof typeof BODIES; readonly at: number };
	readonly multipart?: Multipart;
	/** The announced length of the body minus the sent one. */
	readonly lengthOffset?: number;
}

const headers = fc
	.tuple(
		fc.oneof(
			{ weight: 2, arbitrary: fc.constantFrom(...HEADERS) },
			{ weight: 1, arbitrary: fc.constantFrom(...CONTENT_TYPES).map((type) => ["content-type", type] as const) },
		),
		fc.boolean(),
	)
	.map(([[name, value], replaces]) => ({ name, value, replaces }));
const bodies = fc.record({
	how: fc.constantFrom(...(Object.keys(BODIES) as (keyof typeof BODIES)[])),
	at: fc.nat(200),
});

export const requestDamage: fc.Arbitrary<RequestDamage> = fc.oneof(
	{ weight: 1, arbitrary: fc.record({ method: fc.constantFrom(...METHODS) }) },
	{ weight: 1, arbitrary: fc.record({ target: fc.oneof(fc.constantFrom(...TARGETS), fc.webPath()) }) },
	{ weight: 1, arbitrary: fc.record({ segment: pathSegments }) },
	{ weight: 2, arbitrary: fc.record({ query: fc.oneof(fc.constantFrom(...QUERIES), fc.webQueryParameters()) }) },
	{ weight: 4, arbitrary: fc.record({ header: headers }) },
	{ weight: 3, arbitrary: fc.record({ body: bodies }) },
	{ weight: 1, arbitrary: fc.record({ multipart }) },
	{ weight: 1, arbitrary: fc.record({ lengthOffset: fc.integer({ min: -20, max: 20 }) }) },
);

export function damageRequest(request: WireRequest, damage: RequestDamage): WireRequest {
	const { method, target, segment, query, header, body, multipart: form, lengthOffset } = damage;
	let { path, headers: lines } = request;
	if (target !== undefined) path = target;
	if (segment !== undefined) path = `${path}/${segment}`;
	if (query !== undefined) path = `${path}?${query}`;
	if (header?.replaces) lines = lines.filter(([name]) => name !== header.name);
	if (header) lines = [...lines, [header.name, header.value]];
	if (header?.name === "upgrade") lines = [...lines, ["connection", "upgrade"]];
	if (form) lines = [...lines.filter(([name]) => name !== "content-type"), ["content-type", MULTIPART_TYPE]];
	return {
		method: method ?? request.method,
		path,
		headers: lines,
		body: form ? multipartBody(form) : body ? BODIES[body.how](request.body, body.at) : request.body,
		lengthOffset: lengthOffset ?? request.lengthOffset,
	};
}

export const MULTIPART_TYPE = "multipart/form-data; boundary=b";

export function multipartBody({ name, filename, type, content, copies, boundary, isClosed }: Multipart): Buffer {
	const disposition = `content-disposition: form-data; name="${name}"; filename="${filename}"`;
	const part = Buffer.from(`--${boundary}\r\n${disposition}\r\ncontent-type: ${type}\r\n\r\n`);
	const copy = Buffer.concat([part, Buffer.from(content, "latin1"), Buffer.from("\r\n")]);
	const end = Buffer.from(isClosed ? `--${boundary}--\r\n` : "");
	return Buffer.concat([...Array.from({ length: copies }, () => copy), end]);
}
