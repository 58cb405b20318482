/** Requests to every surface but the studio's: good ones first, and then what can be wrong with them. */
import * as fc from "fast-check";
import { gzipSync } from "node:zlib";
import { routes } from "@atelier/playground/rest/routes";
import { HEADERS, METHODS, QUERIES, VALUES } from "../malformed-requests.ts";
import type { WireRequest } from "../studio/raw-http.ts";

/** Values that only the server under test knows. */
export interface Known {
	readonly port: number;
	readonly botToken: string;
	/** Good values for what stands in paths as `:name`. */
	readonly params: Readonly<Record<string, string>>;
	/** The address of a link that opens a file. */
	readonly resultPath: string;
}

const PAGE = [
	"GET /",
	"GET /index.html",
	"GET /app.js",
	"GET /playground/state",
	"GET /playground/events",
	"POST /playground/uploads",
	"POST /playground/interactions",
	"POST /playground/context-commands",
	"POST /playground/components",
	"POST /playground/modals",
	"POST /playground/autocomplete",
	"PUT /playground/command-permissions",
	"PUT /playground/bot",
	"GET /playground/media/:channel/:message/:name",
	"GET /playground/gateway",
];
const CONTROLS = [
	"GET /playground/admin",
	"GET /playground/admin/routes",
	"GET /playground/admin/requests",
	"GET /playground/admin/guilds",
	...["access", "membership", "gateway", "files", "guilds", "direct", "members", "guild"].map(
		(name) => `PUT /playground/admin/${name}`,
	),
	...["events", "purchases", "clock", "expire", "faults"].map((name) => `POST /playground/admin/${name}`),
	"DELETE /playground/admin/messages/:channel/:message",
	"DELETE /playground/admin/purchases/:entitlement",
];
const OTHERS = ["GET /livez", "GET /readyz", "GET /metrics", "GET RESULT", "POST /callbacks/media/task-1"];
const SURFACES: readonly string[] = [
	...PAGE,
	...CONTROLS,
	...OTHERS,
	...OTHERS,
	...routes.map(({ method, path }) => `${method} /api/v10${path}`),
];

const SEGMENTS = [
	"..",
	"%2e%2e",
	"%2e%2e%2f%2e%2e%2fsecret.txt",
	"..%5c..%5csecret.txt",
	"....//secret.txt",
	"%c0%ae%c0%ae%c0%af",
	"%00",
	"%ff",
	"%zz",
	"%",
	"%ed%a0%80",
	"__proto__",
	"constructor",
	"toString",
	"-1",
	"1e308",
	"9".repeat(400),
	"@original",
	"%E2%80%AE",
	";a=b",
	"a".repeat(3_000),
	"",
	" ",
	"\u202e",
];
const TARGETS = [
	"*",
	"//",
	"//[",
	"///etc/passwd",
	"//evil.example:99999/playground/state",
	"http://[",
	"http://evil.example/playground/state",
	"http://[/api/v10/gateway",
	"/../../../../etc/passwd",
	"/..%2f..%2fsecret.txt",
	"/%2e%2e/%2e%2e/package.json",
	"/web/../../package.json",
	"/app.js/../../playground.ts",
	"/app.js%00.png",
	"/.env",
	"/.git/config",
	"/?",
	"/#",
	"/\\..\\secret.txt",
	`/${"a/".repeat(4_000)}`,
];
/** Valid parts of request bodies, which get past the first checks. */
const FIELDS = [
	"user",
	"channelId",
	"messageId",
	"customId",
	"interactionId",
	"command",
	"options",
	"values",
	"fields",
	"target",
	"focused",
	"permissions",
	"isInstalled",
	"type",
	"data",
	"content",
	"embeds",
	"components",
	"flags",
	"attachments",
	"nonce",
	"allowed_mentions",
	"name",
	"description",
	"recipient_id",
	"sku_id",
	"owner_id",
	"owner_type",
	"poll",
	"message_reference",
];
const RAW_BODIES: readonly Buffer[] = [
	Buffer.alloc(0),
	Buffer.from("{"),
	Buffer.from('{"a":1}{"a":2}'),
	Buffer.from([0xff, 0xfe, 0x7b, 0]),
	Buffer.from(`${"[".repeat(50_000)}${"]".repeat(50_000)}`),
	Buffer.from('{"a":'.repeat(20_000) + "1" + "}".repeat(20_000)),
	Buffer.alloc(300_000, "x"),
	gzipSync(Buffer.alloc(1_000_000, " ")),
	Buffer.from("null"),
	Buffer.from('"text"'),
];
const BOUNDARY = "fuzz";
const FILE_NAMES = [
	"../../secret.txt",
	"a\u202egnp.exe",
	"\ud800.png",
	`${"n".repeat(2_000)}.svg`,
	"",
	"a\r\nX-A: 1",
	".",
	"Z\u0351\u0352algo.html",
];
const PARTS = ["files[0]", "payload_json", "__proto__", "files[99999999999]", "file", ""];

type Damage =
	| { readonly kind: "method" | "target" | "segment" | "query" | "header" | "rawBody"; readonly nth: number }
	| { readonly kind: "param"; readonly nth: number }
	| { readonly kind: "multipart"; readonly nth: number; readonly isOpen: boolean }
	| { readonly kind: "length"; readonly nth: number };

export interface Plan {
	readonly surface: number;
	readonly isBot: boolean;
	readonly body: readonly (readonly [number, number])[];
	readonly damages: readonly Damage[];
}

const nth = fc.nat(1_000);
const damages: fc.Arbitrary<Damage> = fc.oneof(
	...(["method", "target", "segment", "query", "header", "header", "rawBody", "param"] as const).map((kind) =>
		fc.record({ kind: fc.constant(kind), nth }),
	),
	fc.record({ kind: fc.constant("multipart" as const), nth, isOpen: fc.boolean() }),
	fc.record({ kind: fc.constant("length" as const), nth }),
);
export const plans: fc.Arbitrary<Plan> = fc.record({
	surface: nth,
	isBot: fc.boolean(),
	body: fc.array(fc.tuple(nth, nth), { maxLength: 4 }),
	damages: fc.array(damages, { maxLength: 3 }),
});

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

export function draw(plan: Plan, { port, botToken, params, resultPath }: Known): WireRequest {
	const [wanted = "GET", template = "/"] = at(SURFACES, plan.surface).split(" ");
	const damaged = plan.damages.find(({ kind }) => kind === "param");
	let count = 0;
	let path = template.replace("RESULT", resultPath).replaceAll(/:([a-z]+)/g, (_, name: string) => {
		const isHit = damaged !== undefined && count++ === damaged.nth % 2;
		return isHit ? at(SEGMENTS, damaged.nth) : (params[name] ?? at(SEGMENTS, plan.surface));
	});
	let method = wanted;
	let lengthOffset = 0;
	let headers: (readonly [string, string])[] = [["host", `127.0.0.1:${port}`]];
	if (plan.isBot) headers.push(["authorization", `Bot ${botToken}`]);
	const takesBody = !["GET", "HEAD", "DELETE"].includes(wanted);
	let body: Buffer = takesBody ? Buffer.from(JSON.stringify(fieldsOf(plan, params))) : Buffer.alloc(0);
	if (takesBody) headers.push(["content-type", "application/json"]);
	const put = (name: string, value: string): void => {
		headers = [...headers.filter(([other]) => other !== name), [name, value]];
	};
	for (const damage of plan.damages) {
		if (damage.kind === "method") method = at(METHODS, damage.nth);
		else if (damage.kind === "target") path = at(TARGETS, damage.nth);
		else if (damage.kind === "segment") path = `${path}/${at(SEGMENTS, damage.nth)}`;
		else if (damage.kind === "query") path = `${path}?${at(QUERIES, damage.nth)}`;
		else if (damage.kind === "header") put(...at(HEADERS, damage.nth));
		else if (damage.kind === "rawBody") body = at(RAW_BODIES, damage.nth);
		else if (damage.kind === "length") lengthOffset = (damage.nth % 40) - 20;
		else if (damage.kind === "multipart") {
			put("content-type", `multipart/form-data; boundary=${BOUNDARY}`);
			body = multipartOf(at(PARTS, damage.nth), at(FILE_NAMES, damage.nth), damage.isOpen, body);
		}
	}
	if (headers.some(([name]) => name === "upgrade")) put("connection", "upgrade");
	// A blank in the target would mean another HTTP version, so that no other fault is tested then.
	return { method, path: path.replaceAll(/[\s\0]/g, "%20"), headers, body, lengthOffset };
}

function fieldsOf({ body }: Plan, params: Known["params"]): Record<string, unknown> {
	const known = [...VALUES, ...Object.values(params), 4, 5, 8, 9];
	return Object.fromEntries(body.map(([field, value]) => [at(FIELDS, field), at(known, value)]));
}

function multipartOf(part: string, name: string, isOpen: boolean, content: Buffer): Buffer {
	return Buffer.concat([
		Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${part}"; filename="${name}"\r\n\r\n`),
		content,
		Buffer.from(isOpen ? "" : `\r\n--${BOUNDARY}--\r\n`),
	]);
}
