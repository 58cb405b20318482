import assert from "node:assert/strict";
import { once } from "node:events";
import { Events, Status, type Client, type ClientApplication } from "discord.js";
import type { Clock } from "@atelier/common/clock";
import { OperatorError } from "@atelier/common/operator-error";
import type { IdentifyThrottler } from "./cluster/identify-throttler.ts";

/** The longest time without progress. */
const READY_TIMEOUT_MS = 60_000;

interface ConnectDeps {
	readonly client: Client;
	readonly token: string;
	readonly identifyThrottler: Pick<IdentifyThrottler, "delayReason" | "waits">;
	readonly clock: Clock;
	/** Resolves to the reason why Discord will never accept this client. */
	readonly rejection: Promise<string>;
}

/**
 * Connects, and waits until every shard is ready. Rejects with an `OperatorError` if that is impossible or without
 * progress for too long: many shards start one after the other, and after those of other processes.
 */
export async function connectGateway({
	client,
	token,
	identifyThrottler,
	clock,
	rejection,
}: ConnectDeps): Promise<ClientApplication> {
	const settled = new AbortController();
	const { signal } = settled;
	const stalled = untilStalled(client, identifyThrottler, clock, signal).then(() => {
		const notReady = `Discord's gateway was not ready within ${READY_TIMEOUT_MS / 1000} seconds. Is there a firewall in between?`;
		throw new OperatorError(identifyThrottler.delayReason() ?? notReady);
	});
	const rejected = rejection.then((reason) => {
		throw new OperatorError(reason);
	});
	const ready = Promise.all([once(client, Events.ClientReady, { signal }), client.login(token)]);
	// The first outcome decides; the later ones must not become unhandled rejections.
	for (const each of [stalled, rejected, ready]) each.catch(() => {});
	try {
		await Promise.race([ready, stalled, rejected]);
	} finally {
		settled.abort();
	}
	assert(client.application !== null);
	return client.application;
}

/** Returns a number that changes whenever a shard connects, disconnects, or waits for its session start. */
export function connectionProgress({ shards }: Client["ws"], { waits }: Pick<IdentifyThrottler, "waits">): number {
	return waits() + shards.filter(({ status }) => status === Status.Ready).size;
}

/** Resolves after a minute without progress, or when the daily limit delays the session starts. */
async function untilStalled(
	{ ws }: Client,
	identifyThrottler: ConnectDeps["identifyThrottler"],
	clock: Clock,
	signal: AbortSignal,
): Promise<void> {
	let progressBefore: number | undefined;
	let progress = connectionProgress(ws, identifyThrottler);
	while (progress !== progressBefore && identifyThrottler.delayReason() === undefined) {
		await clock.sleep(READY_TIMEOUT_MS, signal);
		progressBefore = progress;
		progress = connectionProgress(ws, identifyThrottler);
	}
}
