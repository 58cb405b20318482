import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { ConfigError } from "../config/config-error.ts";
import { loadConfig, type Config } from "../config/load-config.ts";
import { variableNames } from "../config/schema.ts";
import { findEnvTypos, type EnvTypo } from "../config/env-typos.ts";
import { readModelFile } from "../config/model-catalog-file.ts";
import { createMediaCaller } from "../services/generation/media-caller.ts";
import { PROFILES, type ProfileName } from "@atelier/media-protocol/profiles";
import { examineClockOf } from "./doctor-clock.ts";
import { examineDiscord } from "./doctor-discord.ts";
import { linesOf, type Examination, type Finding } from "./doctor-finding.ts";
import { examineMedia } from "./doctor-media.ts";
import type { CliContext } from "./context.ts";
import { isRunning, originOf } from "./health-probe.ts";
import { examineFolder, examineQueue, examineStore } from "./doctor-store.ts";

const NODE_MAJOR_MIN = 24;

export function defineDoctor(command: Command, context: CliContext): void {
	command
		.description(
			"Looks at everything that the bot depends on, and says what to fix. Reads .env and the environment as the bot does, " +
				"and may be run while the bot runs.",
		)
		.option("--try", "send one small order to the media service too, which costs its price")
		.action(async ({ try: shallTry = false }) => {
			context.exitCode = await runDoctor(shallTry, context);
		});
}

async function runDoctor(shallTry: boolean, { env: readEnv, print }: CliContext): Promise<0 | 1> {
	const env = readEnv();
	let config: Config;
	try {
		config = loadConfig(env);
	} catch (error) {
		if (!(error instanceof ConfigError)) throw error;
		await print(error.message);
		return 1;
	}
	const examinations = [
		houseExamination(config, env),
		await mediaExamination(config, shallTry),
		discordExamination(config),
		storeExamination(config),
		queueExamination(config),
	];
	const toFix = await carryOut(examinations, print);
	await print(toFix === 0 ? "\nAll is well." : `\nTo fix: ${toFix}.`);
	return toFix === 0 ? 0 : 1;
}

/** Each finding is shown when it is found: some take a while. Resolves to how many things there are to fix. */
async function carryOut(examinations: readonly Examination[], print: CliContext["print"]): Promise<number> {
	let toFix = 0;
	for (const { title, costs, findings } of examinations) {
		await print(`\n${title} (${costs})`);
		for await (const finding of findings()) {
			if (finding.grade === "fix") toFix++;
			for (const line of linesOf(finding)) await print(line);
		}
	}
	return toFix;
}

function houseExamination(config: Config, env: NodeJS.ProcessEnv): Examination {
	return {
		title: "This machine",
		costs: "costs nothing",
		async *findings() {
			yield examineNode();
			yield* examineFolder(config.DATA_DIR, await resultsLeftMiB(config));
			yield await examinePort(config);
			yield* findEnvTypos(env, variableNames).map(examineVariable);
		},
	};
}

function examineNode(): Finding {
	const { version, platform, arch } = process;
	const text = `Node ${version} on ${platform} ${arch}`;
	if (Number(/^v(\d+)/.exec(version)?.[1]) >= NODE_MAJOR_MIN) return { grade: "ok", text };
	return {
		grade: "fix",
		text,
		advice: `Atelier needs Node ${NODE_MAJOR_MIN}: npm ci brings it, and npm start uses it.`,
	};
}

function examineVariable({ variable, like }: EnvTypo): Finding {
	return { grade: "fix", text: `nothing reads ${variable}`, advice: `Is ${like} meant? Correct it, or take it out.` };
}

/** How much finished files may still take, beyond what they take now. */
async function resultsLeftMiB({ DATA_DIR, RESULTS_MAX_MB }: Config): Promise<number> {
	const folder = join(DATA_DIR, "results");
	const names = await readdir(folder).catch(() => []);
	const sizes = await Promise.all(
		names.map((name) =>
			stat(join(folder, name)).then(
				({ size }) => size,
				() => 0,
			),
		),
	);
	return Math.max(0, RESULTS_MAX_MB - Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024 / 1024));
}

async function examinePort(config: Config): Promise<Finding> {
	const { HOST, PORT } = config;
	if (PORT === 0) return { grade: "ok", text: "any free port is taken at the start" };
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

async function mediaExamination(config: Config, shallTry: boolean): Promise<Examination> {
	const { MEDIA_API_URL, MEDIA_API_KEY, MEDIA_API_PROFILE, MEDIA_CATALOGUE } = config;
	if (MEDIA_API_URL !== undefined && MEDIA_API_KEY !== undefined) {
		const access = { baseUrl: MEDIA_API_URL, apiKey: MEDIA_API_KEY, profileName: MEDIA_API_PROFILE };
		return examinationOf(`Media service at ${new URL(MEDIA_API_URL).origin}`, access, { shallTry, MEDIA_CATALOGUE });
	}
	const key = await readFile(join(config.DATA_DIR, "studio.key"), "utf8").catch(() => undefined);
	if (key !== undefined && config.PORT !== 0 && (await isRunning(config))) {
		const access = { baseUrl: originOf(config), apiKey: key, profileName: "studio" } as const;
		return examinationOf("Media service: the built-in studio, which runs", access, { shallTry, MEDIA_CATALOGUE });
	}
	const text = "MEDIA_API_URL is not set: the built-in studio makes the media, by itself and without a key";
	return {
		title: "Media service",
		costs: "nothing to ask",
		findings: () => [
			{ grade: "ok", text },
			{ grade: "note", text: "start the bot, and the doctor asks its studio too" },
		],
	};
}

interface Access {
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly profileName: ProfileName;
}

function examinationOf(
	title: string,
	{ baseUrl, apiKey, profileName }: Access,
	{ shallTry, MEDIA_CATALOGUE }: { readonly shallTry: boolean; readonly MEDIA_CATALOGUE: string | undefined },
): Examination {
	const profile = PROFILES[profileName];
	const clock = systemClock;
	return {
		title: `${title}, as ${profileName}`,
		costs: shallTry ? "costs one small order" : "costs nothing, twelve requests at most",
		async *findings() {
			const logger = pino({ level: "silent" });
			const callerWith = (key: string | undefined) =>
				createMediaCaller({ baseUrl, apiKey: key, profile, clock, logger });
			const caller = callerWith(apiKey);
			try {
				const configured = await readModelFile(MEDIA_CATALOGUE);
				yield* examineMedia({ caller, callerWith, profile, clock, configured, shallTry });
				yield* examineClockOf("the media service's", baseUrl, clock);
			} catch (error) {
				if (!(error instanceof ConfigError)) throw error;
				yield { grade: "fix", text: error.message.split("\n").slice(1).join(" ").trim() };
			}
		},
	};
}

function discordExamination(config: Config): Examination {
	const { DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl, SHARD_COUNT: shardCount } = config;
	const grantedBy = config.CREDITS_GRANTED_BY;
	if (token === undefined) {
		const text = "DISCORD_TOKEN is not set: the built-in playground stands in for Discord, on the page of this bot";
		return { title: "Discord", costs: "nothing to ask", findings: () => [{ grade: "ok", text }] };
	}
	return {
		title: apiUrl === undefined ? "Discord" : `Discord at ${new URL(apiUrl).origin}`,
		costs: "costs nothing, five requests and no session",
		findings: () => examineDiscord({ token, apiUrl, shardCount, grantedBy, clock: systemClock }),
	};
}

function storeExamination({ STORE_URL, PROMPT_KEYS }: Config): Examination {
	const kind = STORE_URL.slice(0, STORE_URL.indexOf(":"));
	const costs = "costs nothing: one document is written and removed";
	return { title: `Store on ${kind}`, costs, findings: () => examineStore(STORE_URL, systemClock, PROMPT_KEYS) };
}

function queueExamination({ QUEUE_URL }: Config): Examination {
	if (QUEUE_URL === undefined) {
		const text = "QUEUE_URL is not set: the queue is in the process, as one process needs it";
		return { title: "Queue", costs: "nothing to ask", findings: () => [{ grade: "ok", text }] };
	}
	return { title: "Queue on Redis", costs: "costs nothing", findings: () => examineQueue(QUEUE_URL) };
}
