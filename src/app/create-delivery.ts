import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { DailyWork } from "@atelier/common/periodic-work";
import { createDownload } from "@atelier/common/download";
import type { Config } from "../config/load-config.ts";
import { createDiscordReplyClient } from "../discord/discord-reply-client.ts";
import { withReplyClientMetrics } from "../metrics/reply-client-metrics.ts";
import { createFairSemaphore } from "../services/delivery/fair-semaphore.ts";
import { createTranscodeWorkerPool } from "@atelier/media-files/worker-pool";
import { createFrameExtractor } from "@atelier/media-files/frame-extractor";
import { createTranscoder } from "@atelier/media-files/transcoder";
import { createResultLinks, openLinkSecret } from "../services/delivery/result-links.ts";
import { createResultStore, STAGED_LIFE_MS } from "../services/delivery/result-store.ts";
import { createTempDir, LEFT_BEHIND_MS } from "@atelier/media-files/temp-dir";
import type { BotContext } from "./bot-context.ts";
import type { DiscordConnection } from "./discord-connection.ts";
import { resultOrigins } from "./open-media-service.ts";

/** The most bytes of results that are uploaded at the same time: eight files of 10 MiB, the limit of servers without boosts. */
export const UPLOAD_BYTES_MAX = 80 * 1024 * 1024;

/** More downloads at once would share the connection, and delay also the single result of a small server. */
const DOWNLOADS_AT_ONCE_MAX = 32;

interface DeliveryDeps {
	readonly discord: Pick<DiscordConnection, "deliveryRest">;
	readonly openTaskIds: () => AsyncIterable<string>;
}

export type DeliveryFeature = Awaited<ReturnType<typeof createDelivery>>;

export function resultsFolder({ DATA_DIR }: Pick<Config, "DATA_DIR">): string {
	return join(DATA_DIR, "results");
}

/** Downloads results, keeps them, transcodes them to Discord's limits, and sends them. */
export async function createDelivery(context: BotContext, { discord, openTaskIds }: DeliveryDeps) {
	const { config, store, clock, logger, metrics, disposables } = context;
	const results = createResultStore({
		folder: resultsFolder(config),
		bytesMax: config.RESULTS_MAX_MB * 1024 * 1024,
		openTaskIds,
		clock,
	});
	const secret = await openLinkSecret(store);
	const resultLinks = createResultLinks({ publicUrl: config.PUBLIC_URL, secret, results, clock });
	const uploadSemaphore = createFairSemaphore(UPLOAD_BYTES_MAX);
	const replyClient = createDiscordReplyClient({ rest: discord.deliveryRest, uploadSemaphore, clock, logger });
	const tempDir = createTempDir({ parentDir: join(config.DATA_DIR, "transcoding"), clock });
	const workerPool = createTranscodeWorkerPool({ workersMax: availableParallelism() });
	disposables.defer(() => workerPool.close());
	await Promise.all([results.prune(), tempDir.prune()]);
	const dailyWork: readonly DailyWork[] = [
		{ name: "prune results", work: () => results.prune(), firstAfterMs: STAGED_LIFE_MS },
		{ name: "prune temporary files", work: () => tempDir.prune(), firstAfterMs: LEFT_BEHIND_MS },
	];
	return {
		results,
		resultLinks,
		uploadSemaphore,
		downloadSemaphore: createFairSemaphore(DOWNLOADS_AT_ONCE_MAX),
		...withReplyClientMetrics(replyClient, metrics),
		transcoder: createTranscoder({ workerPool, tempDir, threads: availableParallelism() }),
		frames: createFrameExtractor({ workerPool, tempDir, threads: availableParallelism() }),
		download: createDownload({ clock, trustedOrigins: resultOrigins(context, config) }),
		dailyWork,
	};
}
