/** A studio that a test kills: STORE_URL DATA_DIR SERVICE_URL RUN_DEADLINE_MS [QUEUE_URL]. Prints its origin and a key. */
import { join } from "node:path";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { createHttpServer } from "@atelier/common/http-server";
import { handleMalformedStudioUrl } from "@atelier/studio/envelope";
import { serverOrigin } from "../../../src/http/server-origin.ts";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openStore } from "@atelier/store/open-store";
import { openCluster } from "@atelier/studio/cluster/open-cluster";
import { createStudio } from "@atelier/studio/studio";
import { createPaidServiceEngine } from "./paid-service.ts";

const CREDITS = 1_000_000;
const LEASE_MS = 2500;

const [storeUrl = "", dataDir = "", serviceUrl = "", deadline, queueUrl] = process.argv.slice(2);

const runDeadlineMs = Number(deadline);
const LIMITS = {
	changesPerWindowMax: 1e9,
	readsPerWindowMax: 1e9,
	interruptionsMax: 1000,
	retryDelayFirstMs: 50,
	sweepIntervalMs: 200,
	// Killed processes delay waiting tasks; on a slow machine by minutes.
	queueDeadlineMs: 300_000,
	openTasksPerAccountMax: 180,
	runDeadlineMs: { image: runDeadlineMs, video: runDeadlineMs, music: runDeadlineMs },
} as const;

const logger = pino({ level: "silent" });
const store = await openStore(storeUrl);
const app = createHttpServer({ malformedUrlHandlers: [handleMalformedStudioUrl] });
const origin = (): string => serverOrigin(app.server);
const ledger = createLedger({ store, clock: systemClock });
const cluster =
	queueUrl === undefined ? undefined : await openCluster(queueUrl, { clock: systemClock, logger, leaseMs: LEASE_MS });
const mediaDir = join(dataDir, "media");
const studio = createStudio({
	store,
	ledger,
	clock: systemClock,
	logger,
	engines: [createPaidServiceEngine(serviceUrl)],
	mediaDir,
	origin,
	limits: LIMITS,
	inputOrigins: () => [],
	cluster,
});
await studio.register(app);
await app.listen({ host: "127.0.0.1", port: 0 });
await studio.start();
// The operation id is the same in every process, so that the account receives the credits once.
await ledger.grant("studio:crash", "grant:1", CREDITS, { by: "operator", reason: "crash" });
const cap = { credits: CREDITS, per: "ever" } as const;
const { key } = await studio.keys.create({ account: "crash", name: "crash", cap });
process.stdout.write(`${origin()} ${key}\n`);
