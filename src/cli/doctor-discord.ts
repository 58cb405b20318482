/** Checks the bot's token, application, commands, gateway and permissions at Discord. */
import { ApplicationFlags, DefaultUserAgent, PermissionsBitField } from "discord.js";
import { definitionsFor } from "../commands/index.ts";
import type { Clock } from "@atelier/common/clock";
import type { Config } from "../config/load-config.ts";
import { BOT_PERMISSIONS } from "../discord/invite-link.ts";
import { differingCommands } from "../discord/register-commands.ts";
import { CheckFailedError, clockResult, resultsOf, type CheckResult } from "./doctor-check.ts";
import { USER_AGENT } from "@atelier/common/user-agent";

const DISCORD_API_URL = "https://discord.com/api";
const TIMEOUT_MS = 10_000;
/** The privileged intents; "limited" ones belong to a bot in few servers. */
const PRIVILEGED_FLAGS =
	ApplicationFlags.GatewayPresence |
	ApplicationFlags.GatewayPresenceLimited |
	ApplicationFlags.GatewayGuildMembers |
	ApplicationFlags.GatewayGuildMembersLimited |
	ApplicationFlags.GatewayMessageContent |
	ApplicationFlags.GatewayMessageContentLimited;
/** Discord allows 1,000 session starts a day or more: so few are left only if something starts the bot repeatedly. */
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

interface DiscordResponse {
	readonly body: unknown;
	/** Discord's clock; NaN without a Date header. */
	readonly remoteTimeMs: number;
}

export async function* checkDiscord(deps: DiscordCheckDeps): AsyncGenerator<CheckResult> {
	yield* resultsOf(checkAll(deps));
}

async function* checkAll(deps: DiscordCheckDeps): AsyncGenerator<CheckResult> {
	const askedAtMs = deps.clock.nowMs();
	const { body: botUser, remoteTimeMs } = await request(deps, "/users/@me");
	const answeredAtMs = deps.clock.nowMs();
	const { username, id } = objectIn(botUser);
	const tookMs = answeredAtMs - askedAtMs;
	yield { grade: "ok", text: `the bot is ${String(username)} (${String(id)}), answered in ${tookMs} ms` };
	if (!Number.isNaN(remoteTimeMs))
		yield clockResult({ clockOwner: "Discord's", remoteTimeMs, askedAtMs, answeredAtMs });

	const application = objectIn((await request(deps, "/applications/@me")).body);
	yield* checkApplication(application);
	yield* checkCreditGrants(application, deps.grantedBy);
	yield* resultsOf(checkCommands(deps, String(application["id"])));
	yield* resultsOf(checkGateway(deps));
	yield* resultsOf(checkPermissions(deps), { grade: "note", advice: "Without it, permissions cannot be checked." });
}

function* checkApplication(fields: Json): Generator<CheckResult> {
	const servers = fields["approximate_guild_count"];
	const inServers = typeof servers === "number" ? `; servers: about ${servers}` : "";
	yield { grade: "ok", text: `the application is ${String(fields["name"])} (${String(fields["id"])})${inServers}` };
	if (typeof fields["interactions_endpoint_url"] === "string" && fields["interactions_endpoint_url"] !== "") {
		yield {
			grade: "fix",
			text: "the application has an Interactions Endpoint URL: Discord sends commands to it instead of the bot",
			advice: "Empty that field in the developer portal, under General Information.",
		};
	}
	const flags = typeof fields["flags"] === "number" ? fields["flags"] : 0;
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

function formatCommandNames(names: readonly string[]): string {
	return names.map((name) => `/${name}`).join(" ");
}

async function* checkCommands(deps: DiscordCheckDeps, applicationId: string): AsyncGenerator<CheckResult> {
	const { canImprovePrompts = false } = deps;
	const path = `/applications/${encodeURIComponent(applicationId)}/commands?with_localizations=true`;
	const registered = listIn((await request(deps, path)).body);
	const names = registered.map((each) => String(objectIn(each)["name"]));
	const text = `commands registered: ${formatCommandNames(names) || "none"}`;
	const { missing, changed, others } = differingCommands(registered, definitionsFor({ canImprovePrompts }));
	const differences = [
		...(missing.length > 0 ? [`the next start registers ${formatCommandNames(missing)}`] : []),
		...(changed.length > 0
			? [`registered with another definition than in this version: ${formatCommandNames(changed)}`]
			: []),
		...(others.length > 0 ? [`not of this version, and removed by the next start: ${formatCommandNames(others)}`] : []),
	];
	yield differences.length === 0
		? { grade: "ok", text }
		: { grade: "note", text: `${text}; ${differences.join("; ")}` };
}

/** Checks the bot's role permissions in its guilds. Channel overrides are not read. */
async function* checkPermissions(deps: DiscordCheckDeps): AsyncGenerator<CheckResult> {
	const { body } = await request(deps, `/users/@me/guilds?limit=${SERVERS_CHECKED_MAX}`);
	const servers = listIn(body).map(objectIn);
	if (servers.length === 0) {
		yield {
			grade: "note",
			text: "the bot is in no server: with commands alone, late results arrive by direct message",
		};
		return;
	}
	const serversLackingPermissions = servers.flatMap((server) => {
		const { permissions } = server;
		const bits = typeof permissions === "string" && /^\d{1,30}$/.test(permissions) ? BigInt(permissions) : 0n;
		const granted = new PermissionsBitField(bits);
		const missing = granted.missing(BOT_PERMISSIONS);
		return missing.length > 0 ? [`${String(server["name"])} (${String(server["id"])}): ${missing.join(", ")}`] : [];
	});
	const checkedText = `servers checked: ${servers.length}${servers.length === SERVERS_CHECKED_MAX ? ", there may be more" : ""}`;
	yield serversLackingPermissions.length === 0
		? { grade: "ok", text: `${checkedText}; the bot has its permissions in each` }
		: {
				grade: "warn",
				text: `${checkedText}; permissions are missing in ${serversLackingPermissions.length}`,
				details: serversLackingPermissions.slice(0, SERVERS_SHOWN),
				advice: "A member with Manage Server grants them, or adds the bot again with its invite link.",
			};
}

async function* checkGateway(deps: DiscordCheckDeps): AsyncGenerator<CheckResult> {
	const { shardCount = "auto" } = deps;
	const body = objectIn((await request(deps, "/gateway/bot")).body);
	const { total, remaining, reset_after: resetAfterMs } = objectIn(body["session_start_limit"]);
	const startsLeft = Number(remaining);
	const shards = Number(body["shards"]);
	const text = `gateway: shards recommended: ${shards}; session starts left: ${startsLeft} of ${Number(total)}`;
	const hours = Math.ceil(Number(resetAfterMs) / 3_600_000);
	const advice = `More in about ${hours} hours. Something starts the bot again and again: find out what before Discord resets its token.`;
	if (startsLeft >= Math.max(SESSIONS_LOW, shards)) yield { grade: "ok", text };
	else yield { grade: startsLeft < Math.max(1, shards) ? "fix" : "warn", text, advice };
	if (shardCount === "auto" || shardCount >= shards) return;
	yield {
		grade: "warn",
		text: `SHARD_COUNT is ${shardCount}, and Discord recommends ${shards}`,
		advice: "Increase it in all processes at once, before Discord rejects the shards.",
	};
}

/** Throws a `CheckFailedError` for any response but 200. */
async function request({ token, apiUrl }: DiscordCheckDeps, path: string): Promise<DiscordResponse> {
	const base = (apiUrl ?? DISCORD_API_URL).replace(/\/+$/, "");
	const init: RequestInit = {
		headers: { authorization: `Bot ${token}`, "user-agent": `${DefaultUserAgent} ${USER_AGENT}` },
		signal: AbortSignal.timeout(TIMEOUT_MS),
		redirect: "manual",
	};
	const readResponse = async () => {
		const response = await fetch(`${base}/v10${path}`, init);
		return { response, text: await response.text() };
	};
	const { response, text } = await readResponse().catch((error: unknown) => {
		const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
		throw new CheckFailedError({
			grade: "fix",
			text: `GET ${path}: no answer${cause}`,
			advice: "Discord, or DISCORD_API_URL, is not reachable. Check the network.",
		});
	});
	const { status } = response;
	if (status !== 200)
		throw new CheckFailedError({ grade: "fix", text: `GET ${path}: HTTP ${status}`, advice: adviceOf(status) });
	return { body: parse(text), remoteTimeMs: Date.parse(response.headers.get("date") ?? "") };
}

/** Returns `undefined` for a body that is no JSON. */
function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function adviceOf(status: number): string {
	if (status === 401) return "Discord rejects DISCORD_TOKEN. Copy it again from the developer portal, under Bot.";
	if (status === 404) return "Discord's API is not at that address. Check DISCORD_API_URL, or unset it.";
	return "Try again in a few minutes.";
}

function objectIn(value: unknown): Json {
	return typeof value === "object" && value !== null ? (value as Json) : {};
}

function listIn(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}
