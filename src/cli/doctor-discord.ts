/** Asks Discord who the bot is, and what would keep it from working. */
import { commands } from "../commands/index.ts";
import type { Clock } from "../clock.ts";
import type { Finding } from "./doctor-finding.ts";

const DISCORD_API_URL = "https://discord.com/api";
const TIMEOUT_MS = 10_000;
/** Presence, members and message content, each as granted and as limited. */
const PRIVILEGED_FLAGS = (1 << 12) | (1 << 13) | (1 << 14) | (1 << 15) | (1 << 18) | (1 << 19);
const SESSIONS_LOW = 50;

interface DiscordExamination {
	readonly token: string;
	readonly apiUrl: string | undefined;
	readonly clock: Clock;
}

type Json = Readonly<Record<string, unknown>>;

interface Asked {
	readonly status: number;
	readonly body: unknown;
	readonly tookMs: number;
}

export async function* examineDiscord(examination: DiscordExamination): AsyncGenerator<Finding> {
	const me = await ask(examination, "/users/@me");
	if ("grade" in me) {
		yield me;
		return;
	}
	const { username, id } = objectIn(me.body);
	yield { grade: "ok", text: `the bot is ${String(username)} (${String(id)}), answered in ${me.tookMs} ms` };

	const application = await ask(examination, "/applications/@me");
	if ("grade" in application) {
		yield application;
		return;
	}
	const about = objectIn(application.body);
	yield* examineApplication(about);

	const registered = await ask(examination, `/applications/${encodeURIComponent(String(about["id"]))}/commands`);
	yield "grade" in registered ? registered : examineCommands(registered.body);

	const gateway = await ask(examination, "/gateway/bot");
	yield "grade" in gateway ? gateway : examineGateway(objectIn(gateway.body));
}

function* examineApplication(about: Json): Generator<Finding> {
	const servers = about["approximate_guild_count"];
	const inServers = typeof servers === "number" ? `; servers: about ${servers}` : "";
	yield { grade: "ok", text: `the application is ${String(about["name"])} (${String(about["id"])})${inServers}` };
	if (typeof about["interactions_endpoint_url"] === "string" && about["interactions_endpoint_url"] !== "") {
		yield {
			grade: "fix",
			text: "the application has an Interactions Endpoint URL: Discord sends commands there, and none to the bot",
			advice: "Empty that field in the developer portal, under General Information.",
		};
	}
	const flags = typeof about["flags"] === "number" ? about["flags"] : 0;
	yield (flags & PRIVILEGED_FLAGS) === 0
		? { grade: "ok", text: "no privileged intent is switched on, and none is needed" }
		: {
				grade: "note",
				text: "privileged intents are switched on, which the bot does not use: they may be switched off",
			};
}

function examineCommands(body: unknown): Finding {
	const names = (Array.isArray(body) ? body : []).map((each: unknown) => String(objectIn(each)["name"]));
	const missing = commands.map(({ definition }) => definition.name).filter((name) => !names.includes(name));
	const text = `commands registered: ${names.map((name) => `/${name}`).join(" ") || "none"}`;
	if (missing.length === 0) return { grade: "ok", text };
	return { grade: "note", text: `${text}; the next start registers ${missing.map((name) => `/${name}`).join(" ")}` };
}

function examineGateway(body: Json): Finding {
	const { total, remaining, reset_after: resetAfterMs } = objectIn(body["session_start_limit"]);
	const left = Number(remaining);
	const shards = Number(body["shards"]);
	const text = `gateway: shards recommended: ${shards}; session starts left: ${left} of ${Number(total)}`;
	if (left >= Math.max(SESSIONS_LOW, shards)) return { grade: "ok", text };
	const hours = Math.ceil(Number(resetAfterMs) / 3_600_000);
	return {
		grade: left < Math.max(1, shards) ? "fix" : "warn",
		text,
		advice: `More in about ${hours} hours. Something starts the bot again and again: find out what before Discord resets its token.`,
	};
}

async function ask({ token, apiUrl, clock }: DiscordExamination, path: string): Promise<Asked | Finding> {
	const base = (apiUrl ?? DISCORD_API_URL).replace(/\/+$/, "");
	const startedAtMs = clock.nowMs();
	try {
		const response = await fetch(`${base}/v10${path}`, {
			headers: { authorization: `Bot ${token}`, "user-agent": "DiscordBot (atelier, doctor)" },
			signal: AbortSignal.timeout(TIMEOUT_MS),
			redirect: "manual",
		});
		const { status } = response;
		const text = await response.text();
		if (status === 200) return { status, body: parse(text), tookMs: clock.nowMs() - startedAtMs };
		return { grade: "fix", text: `GET ${path}: HTTP ${status}`, advice: adviceOf(status) };
	} catch (error) {
		const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
		return {
			grade: "fix",
			text: `GET ${path}: no answer${cause}`,
			advice: "Discord, or what DISCORD_API_URL names, cannot be reached. Is the network up?",
		};
	}
}

function adviceOf(status: number): string {
	if (status === 401) return "Discord refuses DISCORD_TOKEN. Copy it again from the developer portal, under Bot.";
	if (status === 404) return "Discord's API is not where it was looked for. Check DISCORD_API_URL, or leave it away.";
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
