/**
 * Opens the playground and a media service in this process, and a slow line between them and a bot in a process of its own. Members,
 * Discord and the service are at the far end of the line.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { pino } from "pino";
import { systemClock, type Clock } from "@atelier/common/clock";
import { freePort } from "@atelier/common/testing/free-port";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { createPlayground } from "@atelier/playground/playground";
import { openUserClient, type UserClient } from "@atelier/playground/user-client";
import { startProcess, type RestartableProcess } from "./child-process.ts";
import { startMediaService, type MediaService, type ServedFile } from "./media-service.ts";
import { npmStartFlags } from "./npm-start-flags.ts";
import { createThrottledProxy, type LineProfile, type ThrottledProxy } from "./throttled-proxy.ts";

const FILE_BYTES_MAX = 25 * 1024 * 1024;
const OFFLINE_CHECK_MS = 50;

export interface LineSetup extends AsyncDisposable {
	readonly proxy: ThrottledProxy;
	readonly service: MediaService;
	/** The playground's origin for members, without the line. */
	readonly playgroundOrigin: string;
	readonly user: UserClient;
	/** The addresses and the token for a bot behind the line; SERVICE is the origin of the media service. */
	readonly env: Readonly<Record<"DISCORD_TOKEN" | "DISCORD_API_URL" | "SERVICE", string>>;
	/** Opens an inbound port to a server of the bot, and sends callbacks there. Resolves to the port on which the bot must listen. */
	openCallbacks(): Promise<number>;
}

interface LineOptions {
	readonly files: readonly ServedFile[];
	/** Adds hooks before the playground's. */
	readonly configure?: (app: FastifyInstance) => void;
	/** The clock of the playground. */
	readonly clock?: Clock;
}

export async function openLine(
	profile: LineProfile,
	{ files, configure, clock = systemClock }: LineOptions,
): Promise<LineSetup> {
	await using disposables = new AsyncDisposableStack();
	const proxy = createThrottledProxy(profile);
	disposables.defer(() => proxy.close());
	const app = Fastify({ forceCloseConnections: true });
	let lineOrigin = "";
	const playground = createPlayground({
		clock,
		logger: pino({ level: "silent" }),
		origin: () => lineOrigin,
	});
	disposables.defer(async () => {
		await app.close();
		await playground.close();
	});
	// Members are not behind the line: their requests reach the port itself, but name the origin that the playground knows.
	app.addHook("onRequest", (request, _reply, done) => {
		request.raw.headers.host = new URL(lineOrigin).host;
		done();
	});
	configure?.(app);
	await playground.register(app);
	const playgroundOrigin = await app.listen({ host: "127.0.0.1", port: 0 });
	lineOrigin = await proxy.open(playgroundOrigin);
	await openAdminClient(playgroundOrigin).setFiles({ bytesMax: FILE_BYTES_MAX });
	const service = await startMediaService(files);
	disposables.defer(() => service.close());
	const serviceOrigin = await proxy.open(service.origin);
	const user = await openUserClient(playgroundOrigin);
	disposables.defer(() => user.close());
	const kept = disposables.move();
	return {
		proxy,
		service,
		playgroundOrigin,
		user,
		env: { DISCORD_TOKEN: playground.botToken, DISCORD_API_URL: `${lineOrigin}/api`, SERVICE: serviceOrigin },
		async openCallbacks() {
			const port = await freePort();
			service.setCallbacks(await proxy.openInbound(`http://127.0.0.1:${port}`), new URL(serviceOrigin).host);
			return port;
		},
		[Symbol.asyncDispose]: () => kept.disposeAsync(),
	};
}

/** Runs the bot with the flags of `npm start`, behind the line if there is one, while `use` runs. */
export async function withAtelier<Result>(
	line: Pick<LineSetup, "env" | "user">,
	env: Readonly<Record<string, string>>,
	use: (bot: RestartableProcess) => Promise<Result>,
): Promise<Result> {
	const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
	const { SERVICE, ...discord } = line.env;
	const bot = await startProcess({
		name: "bot",
		args: [...(await npmStartFlags()), "src/index.ts"],
		env: {
			...discord,
			MEDIA_API_URL: SERVICE,
			MEDIA_API_KEY: "bench-key-0123456789",
			DATA_DIR: folder,
			GUILD_CREDITS: "1000000",
			PORT: "0",
			LOG_LEVEL: "info",
			...env,
		},
		ready: "Atelier is ready",
	});
	try {
		return await use(bot);
	} finally {
		await bot.stop();
		await untilBotOffline(line.user);
		await rm(folder, { recursive: true, force: true });
	}
}

/** Resolves when the playground has noticed that the bot has ended: the next bot then starts as the only one. */
async function untilBotOffline(user: UserClient): Promise<void> {
	while ((await user.state()).bot.online) await systemClock.sleep(OFFLINE_CHECK_MS);
}

/** Runs the plain program, behind the line if there is one, while `use` runs. */
export async function withBaselineBot<Result>(
	line: Pick<LineSetup, "env" | "user">,
	env: Readonly<Record<string, string>>,
	use: (bot: RestartableProcess) => Promise<Result>,
): Promise<Result> {
	const args = ["bench/processes/baseline-bot.ts"];
	const bot = await startProcess({ name: "plain bot", args, env: { ...line.env, ...env }, ready: "ready" });
	try {
		return await use(bot);
	} finally {
		await bot.stop("SIGKILL");
		await untilBotOffline(line.user);
	}
}
