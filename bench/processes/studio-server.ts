/** The studio of bench/studio.ts, in a process of its own like the bare server, so that the bench does not slow it down. */
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { createHttpServer } from "@atelier/common/http-server";
import { createLedger } from "@atelier/ledger/ledger";
import { openStore } from "@atelier/store/open-store";
import { handleMalformedStudioUrl } from "@atelier/studio/envelope";
import { createStudio } from "@atelier/studio/studio";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";

export interface StudioOptions {
	readonly folder: string;
	readonly storeUrl: string;
	readonly accounts: readonly string[];
}

export interface StudioAddress {
	readonly port: number;
	/** One key of each account. */
	readonly apiKeys: readonly string[];
}

const LIMITS = { changesPerWindowMax: 1e9, readsPerWindowMax: 1e9, openTasksPerAccountMax: 1e6, openTasksMax: 1e6 };

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

process.on("message", (message: StudioOptions | "cpu" | "heap") => {
	if (message === "cpu") process.send?.(process.cpuUsage());
	else if (message === "heap") process.send?.(heapBytes());
	else void serve(message);
});

/** Measures the heap after two collections: the first one lets finalizers release more. */
function heapBytes(): number {
	collectGarbage();
	collectGarbage();
	return process.memoryUsage().heapUsed;
}

async function serve({ folder, storeUrl, accounts }: StudioOptions): Promise<void> {
	const store = await openStore(storeUrl);
	// An engine that never finishes, so that submitted tasks wait.
	const engine = createFakeEngine({ concurrency: 1, script: [{ kind: "hang" }] });
	const app = createHttpServer({ malformedUrlHandlers: [handleMalformedStudioUrl] });
	const studio = createStudio({
		random: Math.random,
		store,
		ledger: createLedger({ store, clock: systemClock }),
		clock: systemClock,
		logger: pino({ level: "silent" }),
		engines: [engine],
		mediaDir: join(folder, "media"),
		origin: () => "http://127.0.0.1",
		inputOrigins: () => [],
		limits: LIMITS,
	});
	await studio.register(app);
	await app.listen({ host: "127.0.0.1", port: 0 });
	await studio.start();
	const keys = accounts.map((account) => studio.createKey({ account, name: "bench", grantCredits: 1_000_000 }));
	const apiKeys = (await Promise.all(keys)).map(({ key }) => key);
	process.once(
		"disconnect",
		() =>
			void studio
				.stop()
				.then(() => app.close())
				.then(() => store.close()),
	);
	const address: StudioAddress = { port: (app.server.address() as AddressInfo).port, apiKeys };
	process.send?.(address);
}
