import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { OperatorError } from "@atelier/common/operator-error";
import { loadEngines } from "@atelier/studio/host/load-engines";
import { playgroundProblem } from "../app/discord-endpoint.ts";
import { ConfigError } from "../config/config-error.ts";
import type { Config } from "../config/load-config.ts";
import { variableNames } from "../config/schema.ts";
import { findEnvTypos, type EnvTypo } from "../config/env-typos.ts";
import { readModelCatalogFile } from "../config/model-catalog-file.ts";
import { PROFILES, type ProfileName } from "@atelier/media-protocol/profiles";
import type { Check, CheckResult } from "./check-result.ts";
import { checkDiscord } from "./check-discord.ts";
import { checkMedia } from "./check-media.ts";
import { isRunning, originOf } from "../http/health-probe.ts";
import { isLoopback } from "../http/server-origin.ts";
import { checkFolder, checkQueue, checkStore } from "./check-store.ts";

interface DoctorOptions {
	/** Checked for misspelled variables and for the secrets of the engine file; a running bot has checked both at its start. */
	readonly env: NodeJS.ProcessEnv | undefined;
	readonly submitsTrialTask: boolean;
}

/** Returns all checks, which may run beside the bot or in its process. */
export async function doctorChecks(
	config: Config,
	{ env, submitsTrialTask }: DoctorOptions,
): Promise<readonly Check[]> {
	return [
		machineCheck(config, env),
		await mediaCheck(config, submitsTrialTask),
		...engineFileChecks(config, env),
		discordCheck(config),
		storeCheck(config),
		queueCheck(config),
	];
}

function machineCheck(config: Config, env: NodeJS.ProcessEnv = {}): Check {
	return {
		title: "This machine",
		async *run() {
			const { version, platform, arch } = process;
			yield { grade: "ok", text: `Node ${version} on ${platform} ${arch}` };
			yield* checkFolder(config.DATA_DIR);
			yield await checkPort(config);
			yield* checkMetrics(config);
			yield* findEnvTypos(env, variableNames).map(typoResult);
		},
	};
}

function typoResult({ variable, similarName }: EnvTypo): CheckResult {
	return {
		grade: "fix",
		text: `nothing reads ${variable}`,
		advice: `Did you mean ${similarName}? Correct or remove it.`,
	};
}

async function checkPort(config: Config): Promise<CheckResult> {
	const { HOST, PORT } = config;
	if (PORT === 0) return { grade: "ok", text: "the bot listens on any free port" };
	if (await isRunning(config)) return { grade: "ok", text: `Atelier runs at ${originOf(config)}` };
	const server = createServer();
	try {
		server.listen(PORT, HOST);
		await once(server, "listening");
		server.close();
		return { grade: "ok", text: `${HOST}:${PORT} is free` };
	} catch (error) {
		const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
		const advice = "Stop what listens there, or set PORT and HOST to something else.";
		return { grade: "fix", text: `cannot listen at ${HOST}:${PORT} (${code})`, advice };
	}
}

function* checkMetrics({ HOST, METRICS_HOST, METRICS_PORT }: Config): Generator<CheckResult> {
	if (METRICS_PORT === undefined && !isLoopback(HOST)) {
		const advice = "Set METRICS_PORT, and METRICS_HOST, if Prometheus should read them.";
		yield { grade: "note", text: `no metrics are served, because HOST is ${HOST}`, advice };
	}
	if (METRICS_PORT !== undefined && !isLoopback(METRICS_HOST)) {
		const text = `metrics at ${METRICS_HOST}:${METRICS_PORT} have no authentication`;
		yield { grade: "note", text, advice: "Let only Prometheus reach that address." };
	}
}

async function mediaCheck(config: Config, submitsTrialTask: boolean): Promise<Check> {
	const { MEDIA_API_URL, MEDIA_API_KEY, MEDIA_API_PROFILE, MEDIA_CATALOG, PORT } = config;
	if (MEDIA_API_URL !== undefined && MEDIA_API_KEY !== undefined) {
		const access = { baseUrl: MEDIA_API_URL, apiKey: MEDIA_API_KEY, profileName: MEDIA_API_PROFILE };
		const title = `Media service at ${new URL(MEDIA_API_URL).origin}`;
		return mediaServiceCheck(title, access, { submitsTrialTask, catalogFile: MEDIA_CATALOG });
	}
	const key = await readFile(join(config.DATA_DIR, "studio.key"), "utf8").catch(() => undefined);
	if (key !== undefined && PORT !== 0 && (await isRunning(config))) {
		const access = { baseUrl: originOf(config), apiKey: key, profileName: "studio" } as const;
		const title = "Media service: the built-in studio, which runs";
		return mediaServiceCheck(title, access, { submitsTrialTask, catalogFile: MEDIA_CATALOG });
	}
	const text = "MEDIA_API_URL is not set: the built-in studio generates media without a key";
	// Without a fixed port, a running bot cannot be found, not even by itself.
	const note = `${PORT === 0 ? "set PORT" : "start the bot"} to check its studio as well`;
	return {
		title: "Media service",
		run: () => [
			{ grade: "ok", text },
			{ grade: "note", text: note },
		],
	};
}

/** Opens the engine file as the studio does, which makes no requests. */
function engineFileChecks({ STUDIO_ENGINES: file }: Config, env: NodeJS.ProcessEnv | undefined): readonly Check[] {
	if (file === undefined || env === undefined) return [];
	return [
		{
			title: `Engine file ${file}`,
			async *run() {
				try {
					const { engines } = await loadEngines(file, { clock: systemClock, logger: pino({ level: "silent" }), env });
					await Promise.all(engines.map((engine) => engine.close()));
					yield { grade: "ok", text: `engines: ${engines.length}` };
				} catch (error) {
					if (!(error instanceof OperatorError)) throw error;
					const [text = "", ...details] = error.message.split("\n").map((line) => line.trim());
					yield { grade: "fix", text, details, advice: "docs/engines.md describes the file." };
				}
			},
		},
	];
}

interface MediaAccess {
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly profileName: ProfileName;
}

function mediaServiceCheck(
	title: string,
	{ baseUrl, apiKey, profileName }: MediaAccess,
	{ submitsTrialTask, catalogFile }: { readonly submitsTrialTask: boolean; readonly catalogFile: string | undefined },
): Check {
	const profile = PROFILES[profileName];
	return {
		title: `${title}, as ${profileName}`,
		async *run() {
			try {
				const configuredModels = await readModelCatalogFile(catalogFile);
				yield* checkMedia({ baseUrl, apiKey, profile, clock: systemClock, configuredModels, submitsTrialTask });
			} catch (error) {
				if (!(error instanceof ConfigError)) throw error;
				yield { grade: "fix", text: error.message.split("\n").slice(1).join(" ").trim() };
			}
		},
	};
}

function discordCheck(config: Config): Check {
	const { DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl, SHARD_COUNT: shardCount } = config;
	const grantedBy = config.CREDITS_GRANTED_BY;
	if (token === undefined) {
		const text = "DISCORD_TOKEN is not set: the built-in playground stands in for Discord, on the page of this bot";
		const problem = playgroundProblem(config);
		return {
			title: "Discord",
			run: () => [problem === undefined ? { grade: "ok", text } : { grade: "fix", text: problem }],
		};
	}
	return {
		title: apiUrl === undefined ? "Discord" : `Discord at ${new URL(apiUrl).origin}`,
		run: () => checkDiscord({ token, apiUrl, shardCount, grantedBy, clock: systemClock }),
	};
}

function storeCheck(config: Config): Check {
	const { STORE_URL } = config;
	const kind = STORE_URL.slice(0, STORE_URL.indexOf(":"));
	return { title: `Store on ${kind}`, run: () => checkStore(config) };
}

function queueCheck({ QUEUE_URL }: Config): Check {
	if (QUEUE_URL === undefined) {
		const text = "QUEUE_URL is not set: the queue is in the process, as one process needs it";
		return { title: "Queue", run: () => [{ grade: "ok", text }] };
	}
	return { title: "Queue on Redis", run: () => checkQueue(QUEUE_URL) };
}
