import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fastify from "fastify";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { createPlayground } from "@atelier/playground/playground";
import { createLedger } from "@atelier/ledger/ledger";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import type { Engine } from "@atelier/studio/engines/engine";
import { createStudio } from "@atelier/studio/studio";
import { createFakeEngine, fakeImage } from "@atelier/studio/testing/fake-engine";
import type { Random } from "../../simulation/random.ts";

/** The services that survive the bot: Discord and a media generation service, in this process. */
export interface ExternalServices {
	readonly origin: string;
	/** The configuration that reaches both. */
	readonly env: Readonly<Record<string, string>>;
	readonly studioStore: Store;
	close(): Promise<void>;
}

const RUN_MS_MIN = 50;
const RUN_MS_MAX = 2500;
const ENGINE_CONCURRENCY = 64;

export async function openExternalServices(random: Random): Promise<ExternalServices> {
	const folder = await mkdtemp(join(tmpdir(), "atelier-world-"));
	const logger = pino({ level: "silent" });
	const clock = systemClock;
	const app = fastify({ forceCloseConnections: true });
	let listening = "";
	const origin = (): string => listening;
	const playground = createPlayground({ clock, logger, origin });
	await playground.register(app);
	const studioStore = await openStore("memory:");
	const studio = createStudio({
		store: studioStore,
		ledger: createLedger({ store: studioStore, clock }),
		clock,
		logger,
		engines: [slowEngine(random)],
		mediaDir: join(folder, "media"),
		origin,
		randomBytes,
		inputOrigins: () => [],
	});
	await studio.register(app);
	listening = await app.listen({ port: 0, host: "127.0.0.1" });
	await studio.start();
	const { key } = await studio.createKey({ account: "bot", name: "crash test", grantCredits: 1_000_000 });
	return {
		origin: listening,
		studioStore,
		env: {
			DISCORD_TOKEN: playground.botToken,
			DISCORD_API_URL: `${listening}/api`,
			MEDIA_API_URL: listening,
			MEDIA_API_KEY: key,
			MEDIA_API_PROFILE: "studio",
		},
		async close() {
			await studio.stop();
			await app.close();
			await playground.close();
			await studioStore.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** Real enough: takes a while, and makes a real file. */
function slowEngine(random: Random): Engine {
	return {
		...createFakeEngine({ concurrency: ENGINE_CONCURRENCY }),
		async run(task, signal) {
			await sleep(random.between(RUN_MS_MIN, RUN_MS_MAX), undefined, { signal });
			return [fakeImage(task.taskId)];
		},
	};
}
