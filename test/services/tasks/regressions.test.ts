import { expect, test } from "vitest";
import { MediaRefusedError } from "../../../src/services/generation/media-api.ts";
import type { GuildSettings } from "../../../src/services/settings/settings-schema.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { StoreUnavailableError } from "@atelier/store/store-errors";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import { made, open } from "../../fakes/fake-media-api.ts";
import { GUILD, MINUTE_MS, SECOND_MS, TASK, taskRequest, setup, textOf } from "./task-setup.ts";

const withLimit = (before: GuildSettings): GuildSettings => ({
	...before,
	allowance: { ...before.allowance, everyone: 8 },
});

// Each is named after what went wrong in public elsewhere; those about canceled, unknown and late orders are with their own.

test("a crash between a failure and its refund loses no refund (new-api: the status was moved first, the refund forgotten)", async () => {
	const { storage, boot, media, pass, process } = setup();
	media.answer = open;
	// There are two accounts to give back to.
	await process.settings.change(GUILD, withLimit, "member:1");
	const store = createCrashingStore(createKeyvStore(storage));
	const killed = boot(store);
	await killed.submit();
	await pass(SECOND_MS);
	media.answer = { state: "failed", code: "upstream_error", reason: "cuda" };
	// `finished` is the last thing it writes.
	store.arm(1);
	await pass(10 * SECOND_MS);
	await killed.runner.stop();
	expect([await process.stateOf(), (await process.balance()).heldCredits]).toStrictEqual(["finished", 4]);
	await process.runner.recover();
	await pass(10 * SECOND_MS);
	expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
});

test.each([
	["before", false, ["submitted", 4]],
	["after", true, ["settled", 0]],
])(
	"with one paying account, a failure and its refund are one write: after a crash right %s it",
	async (_, lastIsWritten, left) => {
		const { storage, boot, media, pass, process } = setup();
		media.answer = open;
		const store = createCrashingStore(createKeyvStore(storage));
		const killed = boot(store);
		await killed.submit();
		await pass(SECOND_MS);
		media.answer = { state: "failed", code: "upstream_error", reason: "cuda" };
		store.arm(0, { lastIsWritten });
		await pass(10 * SECOND_MS);
		await killed.runner.stop();
		expect([await process.stateOf(), (await process.balance()).heldCredits]).toStrictEqual(left);
		await process.runner.recover();
		await pass(20 * SECOND_MS);
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
		expect(await process.stateOf()).toBe("delivered");
	},
);

test("two processes that see the same failure refund once (new-api: refund before an unconditional write)", async () => {
	const { boot, media, replyClient, pass, process } = setup();
	media.answer = open;
	await process.submit();
	await boot().runner.recover();
	await pass(SECOND_MS);
	media.answer = { state: "failed", code: "upstream_error", reason: "cuda" };
	await pass(MINUTE_MS);
	expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
	const entries = await process.ledger.history(`guild:${taskRequest.guildId}`, { limit: 10 });
	expect(entries.map(({ kind }) => kind)).toStrictEqual(["void", "reserve", "grant"]);
	expect(replyClient.seen.size).toBe(1);
});

test("two processes that see the same result charge and deliver once", async () => {
	const { boot, media, replyClient, pass, process } = setup();
	media.answer = open;
	await process.submit();
	await boot().runner.recover();
	await pass(SECOND_MS);
	media.answer = made();
	await pass(MINUTE_MS);
	expect(await process.balance()).toMatchObject({ postedCredits: 6, heldCredits: 0 });
	expect(replyClient.seen.size).toBe(1);
});

test("an unknown state is not a failure (new-api: failed and refunded while it was running)", async () => {
	const { media, replyClient, pass, process } = setup();
	media.answer = { ...open, word: "first_success", phase: "unknown" };
	await process.submit();
	await pass(5 * MINUTE_MS);
	expect([await process.stateOf(), replyClient.calls]).toStrictEqual(["submitted", 0]);
	media.answer = made();
	await pass(MINUTE_MS);
	expect(textOf(replyClient)).toContain("4 credits · 6 left");
});

test("states in the wrong order end with the last one (veida, kavel: processing, pending, success)", async () => {
	const { media, replyClient, pass, process } = setup();
	media.answer = { ...open, phase: "running" };
	await process.submit();
	await pass(10 * SECOND_MS);
	media.answer = { ...open, word: "pending", phase: "queued" };
	await pass(10 * SECOND_MS);
	media.answer = made();
	await pass(MINUTE_MS);
	expect(textOf(replyClient)).toContain("4 credits · 6 left");
});

test("`success` without a file is polled once more, and then ends (opencodex#582: polled for ever)", async () => {
	const { media, replyClient, openKeys, pass, process } = setup();
	media.answer = made({ outputs: [] });
	await process.submit();
	await pass(MINUTE_MS);
	expect(media.reads).toBe(2);
	expect(textOf(replyClient)).toContain("there is no file");
	expect(await openKeys()).toStrictEqual([]);
});

test("an accepted but unreadable task is refunded, and canceled by its known id (6 of 6 polls got 403)", async () => {
	const { media, replyClient, pass, process } = setup();
	media.answer = open;
	await process.submit();
	await pass(SECOND_MS);
	const read = media.read.bind(media);
	media.read = () => Promise.reject(new MediaRefusedError("40300", "not yours"));
	await pass(9 * MINUTE_MS);
	expect(media.cancels).toStrictEqual([]);
	await pass(2 * MINUTE_MS);
	expect(textOf(replyClient)).toContain("Nothing was charged.");
	expect(new Set(media.cancels)).toStrictEqual(new Set(["remote-1"]));
	media.read = read;
	await pass(MINUTE_MS);
	expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
});

test("an unavailable store is logged once a minute, for any number of waiting tasks", async () => {
	const { storage, boot, media, replyClient, logged, pass } = setup();
	const inner = createKeyvStore(storage);
	let isAway = false;
	const store: typeof inner = {
		...inner,
		get: (key) => (isAway ? Promise.reject(new StoreUnavailableError("away")) : inner.get(key)),
	};
	const process = boot(store);
	media.answer = open;
	await Promise.all([1, 2].map((n) => process.submit({ id: `${TASK}${n}` })));
	await pass(SECOND_MS);
	isAway = true;
	await pass(4 * MINUTE_MS);
	const before = logged("warn");
	expect(before.length).toBeGreaterThan(1);
	expect(before.length).toBeLessThanOrEqual(5);
	isAway = false;
	media.answer = made();
	await pass(MINUTE_MS);
	expect(replyClient.seen.size).toBe(2);
});

test("a store that recovers in time fails no task", async () => {
	const { storage, boot, media, replyClient, pass } = setup();
	const inner = createKeyvStore(storage);
	// As many as failures of any other kind are borne; the read that comes next would be the one for giving up.
	let refusedReads = 0;
	const store: typeof inner = {
		...inner,
		get: (key) => (refusedReads-- > 0 ? Promise.reject(new StoreUnavailableError("away")) : inner.get(key)),
	};
	const process = boot(store);
	media.answer = open;
	await process.submit();
	await pass(SECOND_MS);
	refusedReads = 6;
	await pass(4 * MINUTE_MS);
	expect(refusedReads).toBeLessThan(1);
	media.answer = made();
	await pass(MINUTE_MS);
	expect(await process.stateOf()).toBe("delivered");
	expect(textOf(replyClient, TASK)).toContain("4 credits · 6 left");
});
