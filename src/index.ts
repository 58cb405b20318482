/** The composition root: the only place that builds things. Reads as a table of contents. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Events, type Interaction } from "discord.js";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { systemClock, type Clock } from "./clock.ts";
import { createAnswersFirst } from "./commands/answers-first.ts";
import { createDispatch } from "./commands/dispatch.ts";
import { commands } from "./commands/index.ts";
import {
	ConfigFault,
	deadlinesOf,
	loadConfig,
	shareOfShards,
	storeNotShared,
	whySeveral,
	type Config,
} from "./config.ts";
import { startDaily } from "./daily.ts";
import { createDiscordAnnouncer } from "./discord/announcer.ts";
import { createDiscord, type Discord } from "./discord/client.ts";
import { createCommandOverrides } from "./discord/command-overrides.ts";
import { inviteLink } from "./discord/invite-link.ts";
import { logIn } from "./discord/log-in.ts";
import { createDeliveryRest } from "./discord/delivery-rest.ts";
import { createDiscordMessenger } from "./discord/messenger.ts";
import { registerCommands } from "./discord/register-commands.ts";
import { createDownload } from "./download.ts";
import { readEnvFile } from "./env-file.ts";
import { registerHealth } from "./health.ts";
import { createHttpApp } from "./http-app.ts";
import { createInFlight } from "./in-flight.ts";
import { createLogger } from "./logging.ts";
import { mediaCallbackUrl, registerMediaCallbacks } from "./media-callbacks.ts";
import { readModelFile } from "./model-file.ts";
import { ownOrigin } from "./own-origin.ts";
import { createPlayground, type Playground } from "./playground/playground.ts";
import { createByteBudget } from "./services/delivery/byte-budget.ts";
import { createFitProcesses } from "./services/delivery/fit/fit-processes.ts";
import { createFitter } from "./services/delivery/fit/fitter.ts";
import { createResultLinks, openLinkSecret, type ResultLinks } from "./services/delivery/result-links.ts";
import { createResultStore } from "./services/delivery/result-store.ts";
import { createScratch, LEFT_BEHIND_MS } from "./services/delivery/scratch.ts";
import { createUploadLimits } from "./services/delivery/upload-limits.ts";
import { createCatalogue } from "./services/generation/catalogue.ts";
import { createHttpMediaApi } from "./services/generation/http-media-api.ts";
import type { MediaApi } from "./services/generation/media-api.ts";
import { PROFILES } from "./services/generation/profiles.ts";
import { createCreditDesk } from "./services/guilds/credit-desk.ts";
import { createGuildAccounts } from "./services/guilds/guild-accounts.ts";
import { createGuildSettings } from "./services/guilds/guild-settings.ts";
import { OPEN_HOLDS_MAX } from "./services/ledger/account.ts";
import { createLowCreditsWarner } from "./services/guilds/low-credits.ts";
import { createCharges } from "./services/ledger/charges.ts";
import { createLedger } from "./services/ledger/ledger.ts";
import type { Ledger } from "./services/ledger/operations.ts";
import { openStore } from "./services/store/open-store.ts";
import type { Store } from "./services/store/store.ts";
import { openPollQueue } from "./services/tasks/open-poll-queue.ts";
import { createPolling } from "./services/tasks/polling.ts";
import { createRunTimes } from "./services/tasks/run-times.ts";
import { startSweeper } from "./services/tasks/sweeper.ts";
import { createJobDesk } from "./services/tasks/job-desk.ts";
import { removeOldTasks } from "./services/tasks/retention.ts";
import { createTaskRunner } from "./services/tasks/task-runner.ts";
import { createTaskService } from "./services/tasks/task-service.ts";
import { createTaskStore } from "./services/tasks/task-store.ts";
import { startWatchdog, type Watchdog } from "./services/tasks/watchdog.ts";
import type { Engine } from "./studio/engines/engine.ts";
import { HOUSE_ACCOUNT, houseCallbackSecret, openHouseKey } from "./studio/house-key.ts";
import { openStudioEngines } from "./studio-engines.ts";
import { createStudio, type Studio } from "./studio/studio.ts";
import { registerResultFiles } from "./result-files.ts";
import { explainStartFailure } from "./start-failure.ts";

/** Commands under way, then an order that is being sent: the longest that a stop waits for on purpose. */
const STOP_DEADLINE_MS = 25_000;
/** For commands that were taken before the stop; what they have started is waited for after that. */
const COMMANDS_DRAIN_MS = 5_000;
/** Media services do not like to be asked about one task more often; the studio in the house does not mind. */
const LOOK_FLOOR_MS = 1_000;
const LOOK_FLOOR_IN_HOUSE_MS = 250;
/** When what is started has nothing better to do. */
const FIRST_CLEANING_AFTER_MS = 5 * 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Of all results on their way to Discord: eight of ordinary size. */
const UPLOADED_AT_ONCE_BYTES = 80 * 1024 * 1024;
/** Where Discord keeps what members attach. */
const DISCORD_MEDIA_ORIGINS = ["https://cdn.discordapp.com", "https://media.discordapp.net"];

/** A running Atelier. */
export interface Atelier {
	/** Where its page, its studio and its health are, such as `http://127.0.0.1:8080`. */
	readonly origin: string;
	/** Resolves, if ever, to why it can do no more work until it is started anew. */
	readonly lost: Promise<string>;
	/** Lets everything go; rejects at the end where something could not be let go properly. */
	stop(): Promise<void>;
}

/** What a test may replace; everything else is what people run. */
export interface AtelierOverrides {
	readonly clock?: Clock;
	readonly engines?: readonly Engine[];
}

/** What every house is built on. */
interface Ground {
	readonly config: Config;
	readonly logger: Logger;
	readonly clock: Clock;
	readonly store: Store;
	readonly ledger: Ledger;
	readonly app: FastifyInstance;
	/** Where `app` listens; throws before it does. */
	readonly origin: () => string;
	/** How the media service wakes the bot's tasks; the bot listens once it is there. */
	readonly doorbell: { ring: (taskId: string) => void };
	/** What has to be let go at the end, in the order of acquiring. */
	readonly releases: (() => Promise<unknown>)[];
	readonly lost: PromiseWithResolvers<string>;
}

/** Opens what the configuration asks for: the bot always, the playground and the studio where nothing else is configured. */
export async function startAtelier(config: Config, logger: Logger, overrides: AtelierOverrides = {}): Promise<Atelier> {
	const ground = await layGround(config, logger, overrides.clock ?? systemClock);
	let stopped: Promise<void> | undefined;
	const stop = (): Promise<void> => (stopped ??= letGo(ground));
	try {
		const playground = config.DISCORD_TOKEN === undefined ? await openPlayground(ground) : undefined;
		const studio = config.MEDIA_API_URL === undefined ? await openStudio(ground, overrides.engines) : undefined;
		let bot: Bot | undefined;
		let media: MediaApi | undefined;
		registerHealth(ground.app, {
			...ground,
			isGatewayUp: () => bot?.discord.isUp() ?? false,
			isMediaUp: () => media?.health().state === "up",
			oldestOverdueLookMs: () => bot?.watchdog.oldestOverdueMs(),
		});
		if (config.PUBLIC_URL !== undefined) {
			await registerResultFiles(ground.app, { links: () => bot?.resultLinks, folder: resultsFolder(config) });
		}
		await listen(ground);
		const botGround = { ...ground, logger: logger.child({ house: "bot" }) };
		media = studio ? await studioAsMediaApi(botGround, studio) : mediaApiOf(botGround);
		bot = await startBot(ground, {
			discord: playground ? playgroundAsDiscord(ground, playground) : discordOf(config),
			media,
		});
		return { origin: ground.origin(), lost: ground.lost.promise, stop };
	} catch (error) {
		// The log has what could not be let go; why it did not start is what counts.
		await stop().catch(() => {});
		throw error;
	}
}

/** Last acquired, first let go. What fails to go keeps nothing else from going. */
async function letGo({ releases, logger }: Ground): Promise<void> {
	const failures: unknown[] = [];
	for (const release of releases.splice(0).toReversed()) {
		try {
			await release();
		} catch (error) {
			logger.error({ err: error }, "not let go properly");
			failures.push(error);
		}
	}
	if (failures.length > 0) throw new AggregateError(failures, "not everything was let go properly");
}

async function layGround(config: Config, logger: Logger, clock: Clock): Promise<Ground> {
	const store = await openStore(config.STORE_URL, { logger });
	const why = whySeveral(config);
	if (why !== undefined && !store.isSharedBetweenProcesses) {
		await store.close();
		throw new ConfigFault(storeNotShared(why));
	}
	if (why !== undefined && config.QUEUE_URL === undefined) {
		logger.warn("several processes without QUEUE_URL: each of them looks at every open task");
	}
	const app = createHttpApp({ randomBytes });
	const origin = (): string => ownOrigin(app.server);
	const releases = [() => store.close()];
	const lost = Promise.withResolvers<string>();
	const doorbell = { ring: () => {} };
	return {
		config,
		logger,
		clock,
		store,
		ledger: createLedger({ store, clock }),
		app,
		origin,
		doorbell,
		releases,
		lost,
	};
}

async function listen({ app, config, releases }: Ground): Promise<void> {
	releases.push(() => app.close());
	await app.listen({ host: config.HOST, port: config.PORT });
}

async function openPlayground({ app, clock, config, logger, origin, releases }: Ground): Promise<Playground> {
	const dataDir = config.STORE_URL === "memory:" ? undefined : config.DATA_DIR;
	const playground = createPlayground({ clock, logger: logger.child({ house: "playground" }), dataDir, origin });
	releases.push(() => playground.close());
	await playground.register(app);
	return playground;
}

async function openStudio(ground: Ground, given?: readonly Engine[]): Promise<Studio> {
	const { config, logger, origin, releases } = ground;
	const { engines, engineOrder } = given
		? { engines: given, engineOrder: {} }
		: await openStudioEngines(config.STUDIO_ENGINES, { ...ground, env: process.env });
	const playgroundOrigins = config.DISCORD_TOKEN === undefined ? () => [origin()] : () => [];
	for (const engine of engines) releases.push(() => engine.close());
	const studio = createStudio({
		...ground,
		logger: logger.child({ house: "studio" }),
		engines,
		engineOrder,
		mediaDir: join(config.DATA_DIR, "studio-media"),
		randomBytes,
		unlimitedAccounts: [HOUSE_ACCOUNT],
		callbackOrigins: () => [origin()],
		inputOrigins: () => [...DISCORD_MEDIA_ORIGINS, ...playgroundOrigins()],
		// The house is one account, however many servers stand behind it; its open holds are the bound.
		limits: { openTasksPerAccountMax: OPEN_HOLDS_MAX },
	});
	releases.push(() => studio.stop());
	await studio.register(ground.app);
	await registerMediaCallbacks(ground.app, {
		secret: await houseCallbackSecret(studio),
		wake: (taskId) => ground.doorbell.ring(taskId),
		clock: ground.clock,
		logger,
	});
	return studio;
}

/** How the bot reaches Discord, or what stands in for it. */
interface DiscordAccess {
	readonly token: string;
	readonly apiUrl: string | undefined;
	readonly isPlayground: boolean;
}

function playgroundAsDiscord({ origin }: Ground, { botToken }: Playground): DiscordAccess {
	return { token: botToken, apiUrl: `${origin()}/api`, isPlayground: true };
}

function discordOf({ DISCORD_TOKEN, DISCORD_API_URL }: Config): DiscordAccess {
	assert(DISCORD_TOKEN !== undefined);
	return { token: DISCORD_TOKEN, apiUrl: DISCORD_API_URL, isPlayground: false };
}

async function studioAsMediaApi({ config, origin, clock, logger }: Ground, studio: Studio): Promise<MediaApi> {
	await studio.start();
	const callbackUrlOf = (taskId: string): string => mediaCallbackUrl(origin(), taskId);
	const apiKey = await openHouseKey(studio, join(config.DATA_DIR, "studio.key"));
	return createHttpMediaApi({ baseUrl: origin(), apiKey, profile: PROFILES.studio, clock, logger, callbackUrlOf });
}

function mediaApiOf({ config, clock, logger }: Ground): MediaApi {
	const { MEDIA_API_URL, MEDIA_API_KEY, MEDIA_API_PROFILE } = config;
	assert(MEDIA_API_URL !== undefined && MEDIA_API_KEY !== undefined);
	const profile = PROFILES[MEDIA_API_PROFILE];
	return createHttpMediaApi({ baseUrl: MEDIA_API_URL, apiKey: MEDIA_API_KEY, profile, clock, logger });
}

/** Where the configured service is, its files may be too; nothing else of a private network is ever fetched from. */
function resultOriginsOf({ config, origin }: Ground): readonly string[] {
	const { MEDIA_API_URL, MEDIA_ORIGINS } = config;
	return [MEDIA_API_URL === undefined ? origin() : new URL(MEDIA_API_URL).origin, ...MEDIA_ORIGINS];
}

function resultsFolder({ DATA_DIR }: Config): string {
	return join(DATA_DIR, "results");
}

/** What a running bot tells of itself. */
interface Bot {
	readonly resultLinks: ResultLinks;
	readonly discord: Pick<Discord, "isUp">;
	readonly watchdog: Watchdog;
}

async function startBot(ground: Ground, access: { discord: DiscordAccess; media: MediaApi }): Promise<Bot> {
	const { config, clock, store, ledger, releases, lost } = ground;
	const { media } = access;
	const logger = ground.logger.child({ house: "bot" });

	const discord = createDiscord({
		apiUrl: access.discord.apiUrl,
		shards: config.SHARDS,
		shardCount: config.SHARD_COUNT,
		logger,
		onLost: lost.resolve,
	});
	const { client } = discord;
	// Acquired before the runner, so let go after it: what is being delivered still needs the client.
	releases.push(() => discord.close());
	const catalogue = createCatalogue({ media, clock, logger, configured: await readModelFile(config.MEDIA_CATALOGUE) });
	const settings = createGuildSettings(store);
	const accounts = createGuildAccounts({ store, ledger, settings, clock, monthlyCredits: config.GUILD_CREDITS });
	const charges = createCharges(ledger);
	const tasks = createTaskStore(store);
	const results = createResultStore({
		folder: resultsFolder(config),
		bytesMax: config.RESULTS_MAX_MB * 1024 * 1024,
		openTaskIds: () => tasks.openIds(),
		clock,
	});
	const resultLinks = createResultLinks({
		publicUrl: config.PUBLIC_URL,
		secret: await openLinkSecret(store),
		results,
		clock,
	});
	const announcer = createDiscordAnnouncer({ rest: client.rest });
	const lowCredits = createLowCreditsWarner({
		store,
		settings,
		announcer,
		clock,
		monthlyCredits: config.GUILD_CREDITS,
	});
	releases.push(() => lowCredits.stop());
	const queue = await openPollQueue(config.QUEUE_URL, { clock, logger });
	const deliveryRest = createDeliveryRest({
		apiUrl: access.discord.apiUrl,
		token: access.discord.token,
		logger,
		onLost: lost.resolve,
	});
	const uploads = createByteBudget(UPLOADED_AT_ONCE_BYTES);
	const messenger = createDiscordMessenger({ rest: deliveryRest, uploads, clock, logger });
	const scratch = createScratch({ place: join(config.DATA_DIR, "fitting"), clock });
	const processes = createFitProcesses({ places: availableParallelism() });
	releases.push(() => processes.close());
	const fitter = createFitter({ processes, scratch, threads: availableParallelism() });
	const download = createDownload({ clock, trustedOrigins: resultOriginsOf(ground) });
	const runTimes = createRunTimes({ store, clock, logger });
	releases.push(() => runTimes.stop());
	const polling = createPolling({
		runTimes,
		clock,
		random: Math.random,
		looksPerSecond: config.MEDIA_API_LOOKS_PER_SECOND,
		budgetShare: () => shareOfShards(config),
		isQueueShared: config.QUEUE_URL !== undefined,
		floorMs: config.MEDIA_API_URL === undefined ? LOOK_FLOOR_IN_HOUSE_MS : LOOK_FLOOR_MS,
	});
	const runner = createTaskRunner({
		tasks,
		queue,
		ledger,
		charges,
		lowCredits,
		media,
		polling,
		messenger,
		results,
		resultLinks,
		download,
		uploadLimits: createUploadLimits({ store, clock }),
		fitter,
		clock,
		logger,
	});
	releases.push(() => runner.stop());
	ground.doorbell.ring = (taskId) => runner.wake(taskId);
	const deadlinesMs = deadlinesOf(config);
	const taskService = createTaskService({ tasks, runner, accounts, ledger, clock, deadlinesMs });
	const jobs = createJobDesk({ tasks, results, resultLinks, runner, clock });
	const desk = createCreditDesk(ledger);
	const overrides = createCommandOverrides({ rest: client.rest, clock });
	const answersFirst = createAnswersFirst({ clock });
	const services = {
		catalogue,
		tasks: taskService,
		accounts,
		settings,
		jobs,
		desk,
		ledger,
		overrides,
		answersFirst,
		clock,
	};
	const dispatch = createDispatch({ commands, services, logger });

	const retentionMs = config.TASK_RETENTION_DAYS * DAY_MS;
	const removeOld = () => removeOldTasks({ tasks, results, clock, logger, retentionMs });
	await Promise.all([catalogue.refresh(), results.prune(), scratch.prune(), runTimes.load()]);
	const firstAfterMs = FIRST_CLEANING_AFTER_MS;
	releases.push(startDaily({ name: "remove old tasks", work: removeOld, firstAfterMs, clock, logger }));
	releases.push(startDaily({ name: "prune results", work: () => results.prune(), clock, logger }));
	releases.push(
		startDaily({ name: "prune scratch", work: () => scratch.prune(), firstAfterMs: LEFT_BEHIND_MS, clock, logger }),
	);
	const commandsUnderWay = createInFlight({ clock });
	const answer = (interaction: Interaction): void => commandsUnderWay.add(dispatch(interaction));
	client.on(Events.InteractionCreate, answer);
	// Before the runner: a command that was taken still becomes a task, or its answer.
	releases.push(async () => {
		client.off(Events.InteractionCreate, answer);
		const cutOff = await commandsUnderWay.drain(COMMANDS_DRAIN_MS);
		if (cutOff > 0) logger.warn({ commands: cutOff }, "commands cut off");
	});
	const application = await logIn({ client, token: access.discord.token, clock, lost: lost.promise });
	await registerCommands(
		client.rest,
		application.id,
		commands.map(({ definition }) => definition),
		logger,
	);
	// Only now: what recovery delivers goes through the client.
	logger.info({ openTasks: await runner.recover() }, "open tasks found");
	releases.push(startSweeper({ sweep: () => runner.recover(), queue, clock, logger }));
	const watchdog = startWatchdog({ queue, clock, logger });
	releases.push(() => watchdog.stop());
	if (!access.discord.isPlayground) logger.info({ invite: inviteLink(application.id) }, "add the bot to a server");
	return { discord, watchdog, resultLinks };
}

async function main(): Promise<void> {
	readEnvFile();
	const config = loadConfig(process.env);
	const logger = createLogger({ level: config.LOG_LEVEL, pretty: process.stdout.isTTY });
	const atelier = await startAtelier(config, logger).catch((error: unknown) => {
		logger.debug({ err: error }, "not started");
		throw error;
	});
	logger.info({ url: atelier.origin }, `Atelier is ready: ${atelier.origin}`);

	let stopping = false;
	const leave = (exitCode: number): void => {
		stopping = true;
		setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
		atelier.stop().then(
			() => process.exit(exitCode),
			() => process.exit(1),
		);
	};
	const shutDown = (signal: NodeJS.Signals): void => {
		// Whoever asks twice does not want to wait; what is cut off goes on at the next start.
		if (stopping) process.exit(1);
		logger.info({ signal }, "stopping");
		leave(0);
	};
	process.on("SIGINT", shutDown);
	process.on("SIGTERM", shutDown);

	const reason = await atelier.lost;
	if (stopping) return;
	logger.fatal(`cannot go on: ${reason}`);
	leave(1);
}

if (import.meta.main) {
	main().catch((error: unknown) => {
		process.stderr.write(`${explainStartFailure(error, process.env["HOST"])}\n`);
		process.exit(1);
	});
}
