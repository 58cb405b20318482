/**
 * One studio process of bench/cluster.ts. Arguments: STORE_URL DATA_DIR PAID_SERVICE_URL QUEUE_URL PORT. The real
 * studio, with an engine that submits to a service that records each request (test/crash/studio/paid-service.ts), and without rate
 * limits for the account of the bots, as with `atelier studio --unlimited`.
 */
import { join } from "node:path";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { createHttpServer } from "@atelier/common/http-server";
import { handleMalformedStudioUrl } from "@atelier/studio/envelope";
import { serverOrigin } from "../../src/http/server-origin.ts";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openStore } from "@atelier/store/open-store";
import { openCluster } from "@atelier/studio/cluster/open-cluster";
import { createStudio } from "@atelier/studio/studio";
import { createPaidServiceEngine } from "../../test/crash/studio/paid-service.ts";

const ENGINE_CONCURRENCY = 64;

const [storeUrl = "", dataDir = "", paidServiceUrl = "", queueUrl = "", port = "0"] = process.argv.slice(2);
const logger = pino({ level: "error" }, pino.destination(2));
const store = await openStore(storeUrl);
const app = createHttpServer({ malformedUrlHandlers: [handleMalformedStudioUrl] });
const studio = createStudio({
	store,
	ledger: createLedger({ store, clock: systemClock }),
	clock: systemClock,
	logger,
	engines: [createPaidServiceEngine(paidServiceUrl, ENGINE_CONCURRENCY)],
	mediaDir: join(dataDir, "media"),
	origin: () => serverOrigin(app.server),
	unlimitedAccounts: ["bench"],
	inputOrigins: () => [],
	cluster: await openCluster(queueUrl, { clock: systemClock, logger }),
});
await studio.register(app);
await app.listen({ host: "127.0.0.1", port: Number(port) });
await studio.start();
process.stdout.write("the studio is ready\n");
