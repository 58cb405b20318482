/** Checks the bot's token, application, commands, gateway and permissions at Discord. */
import { DefaultUserAgent, PermissionsBitField } from "discord.js";
import { definitionsFor } from "../commands/index.ts";
import type { Clock } from "@atelier/common/clock";
import type { Config } from "../config/load-config.ts";
import { PERMISSIONS } from "../discord/invite-link.ts";
import { differingCommands } from "../discord/register-commands.ts";
import { clockResult, type CheckResult } from "./doctor-check.ts";
import { USER_AGENT } from "@atelier/common/user-agent";

const DISCORD_API_URL = "https://discord.com/api";
const TIMEOUT_MS = 10_000;
/** The intents presence, members and message content, each granted or limited. */
const PRIVILEGED_FLAGS = (1 << 12) | (1 << 13) | (1 << 14) | (1 << 15) | (1 << 18) | (1 << 19);
const SESSIONS_LOW = 50;
/** Discord's page size. */
const SERVERS_CHECKED_MAX = 200;
const SERVERS_SHOWN = 10;

interface DiscordCheckDeps {
	readonly token: string;
	readonly apiUrl: string | undefined;
	readonly shardCount?: number | "auto";
	readonly grantedBy?: Config["CREDITS_GRANTED_BY"];
	readonly canImprovePrompts?: boolean;
	readonly clock: Clock;
}

type Json = Readonly<Record<string, unknown>>;

interface Asked {
	readonly status: number;
	readonly body: unknown;
	readonly tookMs: number;
	/** Discord's clock; NaN without a Date header. */
	readonly thereMs: number;
	readonly askedAtMs: number;
}

export async function* checkDiscord(examination: DiscordCheckDeps): AsyncGenerator<CheckResult> {
	const me = await ask(examination, "/users/@me");
	if ("grade" in me) {
		yield me;
		return;
	}
	const { username, id } = objectIn(me.body);
	yield { grade: "ok", text: `the bot is ${String(username)} (${String(id)}), answered in ${me.tookMs} ms` };

	if (!Number.isNaN(me.thereMs)) {
		const { thereMs, askedAtMs, tookMs } = me;
		yield clockResult({ whose: "Discord's", thereMs, askedAtMs, answeredAtMs: askedAtMs + tookMs });
	}

	const application = await ask(examination, "/applications/@me");
	if ("grade" in application) {
		yield application;
		return;
	}
	const about = objectIn(application.body);
	yield* checkApplication(about);
	yield* checkCreditGrants(about, examination.grantedBy);

	const path = `/applications/${encodeURIComponent(String(about["id"]))}/commands?with_localizations=true`;
	const registered = await ask(examination, path);
	yield "grade" in registered ? registered : checkCommands(registered.body, examination.canImprovePrompts);

	const gateway = await ask(examination, "/gateway/bot");
	if ("grade" in gateway) yield gateway;
	else yield* checkGateway(objectIn(gateway.body), examination.shardCount);

	const guilds = await ask(examination, `/users/@me/guilds?limit=${SERVERS_CHECKED_MAX}`);
	yield "grade" in guilds
		? { grade: "note", text: "Discord does not list the bot's servers: permissions cannot be checked" }
		: checkPermissions(guilds.body);
}

function* checkApplication(about: Json): Generator<CheckResult> {
	const servers = about["approximate_guild_count"];
	const inServers = typeof servers === "number" ? `; servers: about ${servers}` : "";
	yield { grade: "ok", text: `the application is ${String(about["name"])} (${String(about["id"])})${inServers}` };
	if (typeof about["interactions_endpoint_url"] === "string" && about["interactions_endpoint_url"] !== "") {
		yield {
			grade: "fix",
			text: "the application has an Interactions Endpoint URL: Discord sends commands to it instead of the bot",
			advice: "Empty that field in the developer portal, under General Information.",
		};
	}
	const flags = typeof about["flags"] === "number" ? about["flags"] : 0;
	yield (flags & PRIVILEGED_FLAGS) === 0
		? { grade: "ok", text: "no privileged intent is enabled, and none is needed" }
		: {
				grade: "note",
				text: "privileged intents are enabled, but the bot does not use them: they can be disabled",
			};
}

function* checkCreditGrants(
	{ bot_public: isPublic }: Json,
	grantedBy: DiscordCheckDeps["grantedBy"],
): Generator<CheckResult> {
	if (isPublic !== true || grantedBy === "operator") return;
	yield {
		grade: "warn",
		text: "anyone can add the bot to a server of their own and grant it unlimited credits",
		advice: "Set CREDITS_GRANTED_BY=operator, or disable Public Bot in the developer portal, under Bot.",
	};
}

function listed(names: readonly string[]): string {
	return names.map((name) => `/${name}`).join(" ");
}

function checkCommands(body: unknown, canImprovePrompts = false): CheckResult {
	const registered = Array.isArray(body) ? (body as unknown[]) : [];
	const names = registered.map((each) => String(objectIn(each)["name"]));
	const text = `commands registered: ${listed(names) || "none"}`;
	const { missing, changed, others } = differingCommands(registered, definitionsFor({ canImprovePrompts }));
	const differences = [
		...(missing.length > 0 ? [`the next start registers ${listed(missing)}`] : []),
		...(changed.length > 0 ? [`registered otherwise than this version has them: ${listed(changed)}`] : []),
		...(others.length > 0 ? [`not of this version, and removed by the next start: ${listed(others)}`] : []),
	];
	return differences.length === 0
		? { grade: "ok", text }
		: { grade: "note", text: `${text}; ${differences.join("; ")}` };
}

/** Checks the bot's role permissions in its guilds. Channel overrides are not read. */
function checkPermissions(body: unknown): CheckResult {
	const servers = (Array.isArray(body) ? (body as unknown[]) : []).map(objectIn);
	if (servers.length === 0) {
		return {
			grade: "note",
			text: "the bot is in no server: with commands alone, late results arrive by direct message",
		};
	}
	const short = servers.flatMap((server) => {
		const { permissions } = server;
		const bits = typeof permissions === "string" && /^\d{1,30}$/.test(permissions) ? BigInt(permissions) : 0n;
		const granted = new PermissionsBitField(bits);
		const missing = granted.missing(PERMISSIONS);
		return missing.length > 0 ? [`${String(server["name"])} (${String(server["id"])}): ${missing.join(", ")}`] : [];
	});
	const looked = `servers checked: ${servers.length}${servers.length === SERVERS_CHECKED_MAX ? ", there may be more" : ""}`;
	if (short.length === 0) return { grade: "ok", text: `${looked}; the bot has its permissions in each` };
	return {
		grade: "warn",
		text: `${looked}; permissions are missing in ${short.length}`,
		details: short.slice(0, SERVERS_SHOWN),
		advice: "A member with Manage Server grants them, or adds the bot again with its invite link.",
	};
}

function* checkGateway(body: Json, shardCount: number | "auto" = "auto"): Generator<CheckResult> {
	const { total, remaining, reset_after: resetAfterMs } = objectIn(body["session_start_limit"]);
	const left = Number(remaining);
	const shards = Number(body["shards"]);
	const text = `gateway: shards recommended: ${shards}; session starts left: ${left} of ${Number(total)}`;
	const hours = Math.ceil(Number(resetAfterMs) / 3_600_000);
	const again = `More in about ${hours} hours. Something starts the bot again and again: find out what before Discord resets its token.`;
	if (left >= Math.max(SESSIONS_LOW, shards)) yield { grade: "ok", text };
	else yield { grade: left < Math.max(1, shards) ? "fix" : "warn", text, advice: again };
	if (shardCount === "auto" || shardCount >= shards) return;
	yield {
		grade: "warn",
		text: `SHARD_COUNT is ${shardCount}, and Discord recommends ${shards}`,
		advice: "Increase it in all processes at once, before Discord rejects the shards.",
	};
}

async function ask({ token, apiUrl, clock }: DiscordCheckDeps, path: string): Promise<Asked | CheckResult> {
	const base = (apiUrl ?? DISCORD_API_URL).replace(/\/+$/, "");
	const startedAtMs = clock.nowMs();
	try {
		const response = await fetch(`${base}/v10${path}`, {
			headers: { authorization: `Bot ${token}`, "user-agent": `${DefaultUserAgent} ${USER_AGENT}` },
			signal: AbortSignal.timeout(TIMEOUT_MS),
			redirect: "manual",
		});
		const { status } = response;
		const text = await response.text();
		const thereMs = Date.parse(response.headers.get("date") ?? "");
		const tookMs = clock.nowMs() - startedAtMs;
		if (status === 200) return { status, body: parse(text), tookMs, thereMs, askedAtMs: startedAtMs };
		return { grade: "fix", text: `GET ${path}: HTTP ${status}`, advice: adviceOf(status) };
	} catch (error) {
		const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
		return {
			grade: "fix",
			text: `GET ${path}: no answer${cause}`,
			advice: "Discord, or DISCORD_API_URL, is not reachable. Check the network.",
		};
	}
}

function adviceOf(status: number): string {
	if (status === 401) return "Discord refuses DISCORD_TOKEN. Copy it again from the developer portal, under Bot.";
	if (status === 404) return "Discord's API is not at that address. Check DISCORD_API_URL, or unset it.";
	return "Try again in a few minutes.";
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function objectIn(value: unknown): Json {
	return typeof value === "object" && value !== null ? (value as Json) : {};
}
