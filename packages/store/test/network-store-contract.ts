import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/open-store.ts";
import { StoreUnavailableError } from "../src/store-errors.ts";
import type { Store } from "../src/store.ts";
import { openProxy } from "../testing/breakable-proxy.ts";

/** Short enough for a test to wait for it, and long enough for the response of a server on a busy machine. */
const SHORT_RESPONSE_TIMEOUT_MS = 3_000;

interface NetworkStoreAccess {
	readonly url: string;
	readonly defaultPort: number;
	readonly empty: () => Promise<void>;
}

/** The behavior of a server store on a broken connection: an explicit error, never "missing", and recovery. */
export function networkContract(name: string, access: NetworkStoreAccess): void {
	describe(`the connection to ${name}`, () => {
		test("while it is cut, every call fails and is not sent later; its loss and its return are logged", async () => {
			const { store, proxy, raw, messages } = await openBehindProxy(access);
			proxy.cut();
			await expectEveryCallToFail(store, raw);
			// The client knows of the outage by now, and must not queue these calls.
			await expectEveryCallToFail(store, raw);
			proxy.restore();
			await expect.poll(async () => (await store.get("guild:1"))?.value).toBe(1);
			await expect.poll(() => store.compareAndSet("guild:1", raw, 2)).toBeTypeOf("string");
			// A store may have several connections, and each logs its loss and its return.
			const countOf = (message: string): number => messages.filter((logged) => logged === message).length;
			expect([messages[0], messages.at(-1)]).toStrictEqual(["store connection lost", "store reachable again"]);
			expect(countOf("store reachable again")).toBe(countOf("store connection lost"));
		});

		test("times out every call while the server is silent, and connects again", async () => {
			const { store, proxy, raw } = await openBehindProxy(access, SHORT_RESPONSE_TIMEOUT_MS);
			proxy.silence();
			await expectEveryCallToFail(store, raw);
			// A new connection, which the server accepts and never greets, is replaced as well.
			const failing = () => store.get("guild:1").catch(() => proxy.ignoredConnections());
			await expect.poll(failing).toBeGreaterThan(0);
			proxy.restore();
			await expect.poll(async () => (await store.get("guild:1"))?.value).toBe(1);
			await expect.poll(() => store.set("guild:1", 2).then(() => true)).toBe(true);
		});
	});
}

async function openBehindProxy({ url, defaultPort, empty }: NetworkStoreAccess, responseTimeoutMs?: number) {
	await empty();
	const proxy = await openProxy(url, defaultPort);
	const messages: string[] = [];
	const write = (line: string): void => {
		const { msg } = JSON.parse(line) as { readonly msg: string };
		// Not the warning about the durability settings of the test server.
		if (!msg.startsWith("credits can be lost")) messages.push(msg);
	};
	const store = await openStore(proxy.url, { responseTimeoutMs, logger: pino({}, { write }) });
	onTestFinished(() => store.close());
	return { store, proxy, messages, raw: await store.compareAndSet("guild:1", undefined, 1) };
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
