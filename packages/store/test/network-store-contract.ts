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
		test("all calls fail while it is cut, and succeed when it is restored", async () => {
			const { store, proxy, raw } = await openBehindProxy(access);
			proxy.cut();
			await expectEveryCallToFail(store, raw);
			proxy.restore();
			await expect.poll(async () => (await store.get("guild:1"))?.value, BACK_AGAIN).toBe(1);
			await expect.poll(() => store.compareAndSet("guild:1", raw, 2), BACK_AGAIN).toBeTypeOf("string");
		});

		test("logs once that it is cut, and once that the server is reached again", async () => {
			const { store, proxy, raw, lines } = await openBehindProxy(access);
			proxy.cut();
			await expectEveryCallToFail(store, raw);
			await expectEveryCallToFail(store, raw);
			proxy.restore();
			await expect.poll(async () => (await store.get("guild:1"))?.value, BACK_AGAIN).toBe(1);
			await store.get("guild:1");
			// Counts once per connection, because a store may have several.
			const times = (msg: string): number => lines.filter((line) => line === msg).length;
			expect([lines[0], lines.at(-1)]).toStrictEqual(["store connection lost", "store reachable again"]);
			expect(times("store reachable again")).toBe(times("store connection lost"));
		});

		test("times out every call while the server is silent, and connects again", async () => {
			const { store, proxy, raw } = await openBehindProxy(access);
			proxy.silence();
			await expectEveryCallToFail(store, raw);
			proxy.restore();
			await expect.poll(async () => (await store.get("guild:1"))?.value, BACK_AGAIN).toBe(1);
			await expect.poll(() => store.set("guild:1", 2).then(() => true), BACK_AGAIN).toBe(true);
		});

		test("is replaced if the server accepts it and never greets", async () => {
			const { store, proxy, raw } = await openBehindProxy(access);
			proxy.silence();
			await expectEveryCallToFail(store, raw);
			const failing = () => store.get("guild:1").catch(() => proxy.swallowed());
			await expect.poll(failing, BACK_AGAIN).toBeGreaterThan(0);
			proxy.restore();
			await expect.poll(async () => (await store.get("guild:1"))?.value, BACK_AGAIN).toBe(1);
		});

		test("an operation that failed during an outage is not sent later", async () => {
			const { store, proxy, raw } = await openBehindProxy(access);
			proxy.cut();
			await expect
				.poll(() => store.get("guild:1").catch((error: unknown) => error))
				.toBeInstanceOf(StoreUnavailableError);
			await expect(store.compareAndSet("guild:1", raw, "late")).rejects.toBeInstanceOf(StoreUnavailableError);
			proxy.restore();
			await expect.poll(async () => (await store.get("guild:1"))?.value, BACK_AGAIN).toBe(1);
			await expect.poll(() => store.compareAndSet("guild:1", raw, 2), BACK_AGAIN).toBeTypeOf("string");
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
	await Promise.all([
		expect(store.get("guild:1")).rejects.toBeInstanceOf(StoreUnavailableError),
		expect(store.get("guild:2")).rejects.toBeInstanceOf(StoreUnavailableError),
		expect(store.set("guild:1", 2)).rejects.toBeInstanceOf(StoreUnavailableError),
		expect(store.delete("guild:1")).rejects.toBeInstanceOf(StoreUnavailableError),
		expect(store.compareAndSet("guild:1", raw, 2)).rejects.toBeInstanceOf(StoreUnavailableError),
		expect(store.compareAndSetAll([{ key: "guild:1", expectedRaw: raw, next: 2 }])).rejects.toBeInstanceOf(
			StoreUnavailableError,
		),
		expect(Array.fromAsync(store.scan(""))).rejects.toBeInstanceOf(StoreUnavailableError),
	]);
}
