/** Checks the bot's token, application, commands, gateway and permissions at Discord, and this machine's clock. */
import { ApplicationFlags, DefaultUserAgent, PermissionsBitField } from "discord.js";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import { USER_AGENT } from "@atelier/common/user-agent";
import { definitionsFor } from "../commands/index.ts";
import type { Config } from "../config/load-config.ts";
import { DISCORD_API_URL } from "../config/schema.ts";
import { TOKEN_REJECTED } from "../config/startup-errors.ts";
import { BOT_PERMISSIONS } from "../discord/invite-link.ts";
import { CheckFailedError, resultsOf, type CheckResult } from "./check-result.ts";

const TIMEOUT_MS = 10_000;
/** The privileged intents; "limited" ones belong to a bot in few servers. */
const PRIVILEGED_FLAGS =
	ApplicationFlags.GatewayPresence |
	ApplicationFlags.GatewayPresenceLimited |
	ApplicationFlags.GatewayGuildMembers |
	ApplicationFlags.GatewayGuildMembersLimited |
	ApplicationFlags.GatewayMessageContent |
	ApplicationFlags.GatewayMessageContentLimited;
/** An HTTP date has whole seconds. */
const DATE_ROUNDING_MS = 1_000;
/** The differences of the clocks from which the check warns, and from which it demands a fix. */
const DIFFERENCE_WARN_MS = 2_000;
const DIFFERENCE_FIX_MS = 10_000;
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
	readonly clock: Clock;
}

const botUserSchema = z.object({ id: z.string(), username: z.string() });
const applicationSchema = z.object({
	id: z.string(),
	name: z.string(),
	approximate_guild_count: z.number().optional(),
	interactions_endpoint_url: z.string().nullish(),
	bot_public: z.boolean().optional(),
	flags: z.number().default(0),
});
const commandsSchema = z.array(z.object({ name: z.string() }));
const gatewaySchema = z.object({
	shards: z.number(),
	session_start_limit: z.object({ total: z.number(), remaining: z.number(), reset_after: z.number() }),
});
const guildsSchema = z.array(
	z.object({ id: z.string(), name: z.string(), permissions: z.string().regex(/^\d{1,30}$/) }),
);

export function checkDiscord(deps: DiscordCheckDeps): AsyncGenerator<CheckResult> {
	return resultsOf(checkAll(deps));
}

async function* checkAll(deps: DiscordCheckDeps): AsyncGenerator<CheckResult> {
	const askedAtMs = deps.clock.nowMs();
	const { body: bot, remoteTimeMs } = await request(deps, "/users/@me", botUserSchema);
	const answeredAtMs = deps.clock.nowMs();
	yield { grade: "ok", text: `the bot is ${bot.username} (${bot.id}), answered in ${answeredAtMs - askedAtMs} ms` };
	if (!Number.isNaN(remoteTimeMs)) yield clockResult({ remoteTimeMs, askedAtMs, answeredAtMs });
	yield* checkApplication(deps);
	yield* resultsOf(checkGateway(deps));
	yield* resultsOf(checkPermissions(deps), { grade: "note", advice: "Without it, permissions cannot be checked." });
}

interface ReadTime {
	/** Discord's time. */
	readonly remoteTimeMs: number;
	readonly askedAtMs: number;
	readonly answeredAtMs: number;
}

/** Compares this machine's clock with Discord's. */
export function clockResult({ remoteTimeMs, askedAtMs, answeredAtMs }: ReadTime): CheckResult {
	// Discord read its clock between the request and the response, so the time between them is no difference.
	const aheadMs = Math.max(0, askedAtMs - remoteTimeMs - DATE_ROUNDING_MS);
	const behindMs = Math.max(0, remoteTimeMs - answeredAtMs);
	const differenceMs = Math.max(aheadMs, behindMs);
	if (differenceMs < DIFFERENCE_WARN_MS) return { grade: "ok", text: "this machine's clock agrees with Discord's" };
	const side = aheadMs > behindMs ? "ahead of" : "behind";
	return {
		grade: differenceMs < DIFFERENCE_FIX_MS ? "warn" : "fix",
		text: `this machine's clock is ${Math.round(differenceMs / 1000)} seconds ${side} Discord's`,
		advice: "Enable time synchronization: timedatectl set-ntp true.",
	};
}

async function* checkApplication(deps: DiscordCheckDeps): AsyncGenerator<CheckResult> {
	const { body: application } = await request(deps, "/applications/@me", applicationSchema);
	const servers = application.approximate_guild_count;
	const inServers = servers === undefined ? "" : `; servers: about ${servers}`;
	yield { grade: "ok", text: `the application is ${application.name} (${application.id})${inServers}` };
	if (application.interactions_endpoint_url) {
		yield {
			grade: "fix",
			text: "the application has an Interactions Endpoint URL: Discord sends commands to it instead of the bot",
			advice: "Empty that field in the developer portal, under General Information.",
		};
	}
	yield (application.flags & PRIVILEGED_FLAGS) === 0
		? { grade: "ok", text: "no privileged intent is enabled, and none is needed" }
		: { grade: "note", text: "privileged intents are enabled, but the bot does not use them: they can be disabled" };
	if (application.bot_public === true && deps.grantedBy !== "operator") {
		yield {
			grade: "warn",
			text: "anyone can add the bot to a server of their own and grant it unlimited credits",
			advice: "Set CREDITS_GRANTED_BY=operator, or disable Public Bot in the developer portal, under Bot.",
		};
	}
	yield* resultsOf(checkCommands(deps, application.id));
}

/** Compares names only: each start replaces the registered commands. */
async function* checkCommands(deps: DiscordCheckDeps, applicationId: string): AsyncGenerator<CheckResult> {
	const { body } = await request(deps, `/applications/${applicationId}/commands`, commandsSchema);
	const registered = body.map(({ name }) => name);
	const names = definitionsFor({ hasImprover: false }).map(({ name }) => name);
	const text = `commands registered: ${registered.length}`;
	const missing = names.filter((name) => !registered.includes(name));
	const others = registered.filter((name) => !names.includes(name));
	if (missing.length > 0) yield { grade: "note", text: `${text}; the next start adds ${missing.join(", ")}` };
	if (others.length > 0) yield { grade: "note", text: `${text}; the next start removes ${others.join(", ")}` };
	if (missing.length + others.length === 0) yield { grade: "ok", text: `${text}, as this version has them` };
}

/** Checks the bot's role permissions in its servers. Channel overrides are not read. */
async function* checkPermissions(deps: DiscordCheckDeps): AsyncGenerator<CheckResult> {
	const { body: guilds } = await request(deps, `/users/@me/guilds?limit=${SERVERS_CHECKED_MAX}`, guildsSchema);
	if (guilds.length === 0) {
		yield {
			grade: "note",
			text: "the bot is in no server: with commands alone, late results arrive by direct message",
		};
		return;
	}
	const serversLackingPermissions = guilds.flatMap(({ id, name, permissions }) => {
		const missing = new PermissionsBitField(BigInt(permissions)).missing(BOT_PERMISSIONS);
		return missing.length > 0 ? [`${name} (${id}): ${missing.join(", ")}`] : [];
	});
	const checkedText = `servers checked: ${guilds.length}${guilds.length === SERVERS_CHECKED_MAX ? ", there may be more" : ""}`;
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
	const { shards, session_start_limit: limit } = (await request(deps, "/gateway/bot", gatewaySchema)).body;
	const text = `gateway: shards recommended: ${shards}; session starts left: ${limit.remaining} of ${limit.total}`;
	const hours = Math.ceil(limit.reset_after / 3_600_000);
	const advice = `More in about ${hours} hours. Something starts the bot again and again: find out what before Discord resets its token.`;
	if (limit.remaining >= Math.max(SESSIONS_LOW, shards)) yield { grade: "ok", text };
	else yield { grade: limit.remaining < Math.max(1, shards) ? "fix" : "warn", text, advice };
	if (shardCount === "auto" || shardCount >= shards) return;
	yield {
		grade: "warn",
		text: `SHARD_COUNT is ${shardCount}, and Discord recommends ${shards}`,
		advice: "Increase it in all processes at once, before Discord rejects the shards.",
	};
}

interface DiscordResponse<Body> {
	readonly body: Body;
	/** Discord's time; NaN without a Date header. */
	readonly remoteTimeMs: number;
}

/** Throws a `CheckFailedError` for any other response. */
async function request<Schema extends z.ZodType>(
	{ token, apiUrl = DISCORD_API_URL }: DiscordCheckDeps,
	path: string,
	schema: Schema,
): Promise<DiscordResponse<z.infer<Schema>>> {
	const init: RequestInit = {
		headers: { authorization: `Bot ${token}`, "user-agent": `${DefaultUserAgent} ${USER_AGENT}` },
		signal: AbortSignal.timeout(TIMEOUT_MS),
		redirect: "manual",
	};
	const fail = (what: string, advice: string): never => {
		throw new CheckFailedError({ grade: "fix", text: `GET ${path}: ${what}`, advice });
	};
	const response = await fetch(`${apiUrl}/v10${path}`, init).catch((error: unknown) => {
		const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
		return fail(`no answer${cause}`, "Discord, or DISCORD_API_URL, is not reachable. Check the network.");
	});
	if (response.status !== 200) return fail(`HTTP ${response.status}`, adviceOf(response.status));
	const { data } = schema.safeParse(await response.json().catch(() => undefined));
	if (data === undefined) return fail("the answer is not Discord's", "Check DISCORD_API_URL, or unset it.");
	return { body: data, remoteTimeMs: Date.parse(response.headers.get("date") ?? "") };
}

function adviceOf(status: number): string {
	if (status === 401) return TOKEN_REJECTED;
	if (status === 404) return "Discord's API is not at that address. Check DISCORD_API_URL, or unset it.";
	return "Try again in a few minutes.";
}
