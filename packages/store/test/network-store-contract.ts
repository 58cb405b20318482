import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/open-store.ts";
import { StoreUnavailableError } from "../src/store-errors.ts";
import type { Store } from "../src/store.ts";
import { openProxy, type BreakableProxy } from "../testing/breakable-proxy.ts";

const ANSWER_TIMEOUT_MS = 300;
const BACK_AGAIN = { timeout: 15_000 };

interface NetworkStoreAccess {
	readonly url: string;
	readonly defaultPort: number;
	readonly empty: () => Promise<void>;
}

/** The behavior of a server store on a broken connection: an explicit error, never "missing", and recovery. */
export function networkContract(name: string, access: NetworkStoreAccess): void {
	describe(`the connection to ${name}`, () => {
		test("while it is cut every call fails and is not sent later, and each change is logged once", async () => {
			const { store, proxy, raw, lines } = await openBehindProxy(access);
			proxy.cut();
			await expectEveryCallToFail(store, raw);
			// The client knows of the outage by now, and must not queue these calls.
			await expectEveryCallToFail(store, raw);
			proxy.restore();
			await expect.poll(async () => (await store.get("guild:1"))?.value, BACK_AGAIN).toBe(1);
			await expect.poll(() => store.compareAndSet("guild:1", raw, 2), BACK_AGAIN).toBeTypeOf("string");
			// Counts once per connection, because a store may have several.
			const times = (msg: string): number => lines.filter((line) => line === msg).length;
			expect([lines[0], lines.at(-1)]).toStrictEqual(["store connection lost", "store reachable again"]);
			expect(times("store reachable again")).toBe(times("store connection lost"));
		});

		test("times out every call while the server is silent, and connects again", async () => {
			const { store, proxy, raw } = await openBehindProxy(access);
			proxy.silence();
			await expectEveryCallToFail(store, raw);
			// A new connection, which the server accepts and never greets, is replaced as well.
			const failing = () => store.get("guild:1").catch(() => proxy.swallowed());
			await expect.poll(failing, BACK_AGAIN).toBeGreaterThan(0);
			proxy.restore();
			await expect.poll(async () => (await store.get("guild:1"))?.value, BACK_AGAIN).toBe(1);
			await expect.poll(() => store.set("guild:1", 2).then(() => true), BACK_AGAIN).toBe(true);
		});
	});
}

async function openBehindProxy({ url, defaultPort, empty }: NetworkStoreAccess): Promise<{
	store: Store;
	proxy: BreakableProxy;
	raw: string | undefined;
	lines: readonly string[];
}> {
	await empty();
	const proxy = await openProxy(url, defaultPort);
	const lines: string[] = [];
	const write = (line: string): void => {
		const { msg } = JSON.parse(line) as { readonly msg: string };
		if (!msg.startsWith("credits can be lost")) lines.push(msg);
	};
	const store = await openStore(proxy.url, { answerTimeoutMs: ANSWER_TIMEOUT_MS, logger: pino({}, { write }) });
	onTestFinished(() => store.close());
	return { store, proxy, lines, raw: await store.compareAndSet("guild:1", undefined, 1) };
}

async function expectEveryCallToFail(store: Store, raw: string | undefined): Promise<void> {
	const calls = [
		store.get("guild:1"),
		store.get("guild:2"),
		store.set("guild:1", 2),
		store.delete("guild:1"),
		store.compareAndSet("guild:1", raw, 2),
		store.compareAndSetAll([{ key: "guild:1", expectedRaw: raw, next: 2 }]),
		Array.fromAsync(store.scan("")),
	];
	await Promise.all(calls.map((call) => expect(call).rejects.toBeInstanceOf(StoreUnavailableError)));
}
