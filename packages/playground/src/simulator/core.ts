/** The state and services that the parts of the simulator share: time, ids, randomness, events, and the stored documents. */
import { isDeepStrictEqual } from "node:util";
import type { APIApplicationCommand, APIEntitlement, APISKU } from "discord-api-types/v10";
import type { Clock } from "@atelier/common/clock";
import type { DocumentStore } from "../document-store.ts";
import { DEFAULT_FIXTURE, FixtureError, parseFixture, type Fixture, type ParsedFixture } from "../fixture.ts";
import { compareSnowflakes, createSnowflakes } from "./discord-formats.ts";
import {
	type AttachmentRecord,
	type Ban,
	type BotStay,
	type ChannelChanges,
	type DirectChannel,
	type Interaction,
	type MemberRecord,
	type OAuth2Authorization,
	SEED_FORMAT,
	type Seed,
	type StoredMessage,
	type Thread,
	type Webhook,
} from "./documents.ts";
import { createSimulatorEvents } from "./events.ts";
import type { CommandPermission } from "./permissions.ts";
import { createSeed, type RandomBytes } from "./seed-from-fixture.ts";

export type Core = ReturnType<typeof createCore>;

export interface CoreDeps {
	readonly clock: Clock;
	readonly random: RandomBytes;
	readonly store: DocumentStore;
	/** The initial content of a store without one. Throws `FixtureError` if it is invalid or the store has other content. */
	readonly fixture?: Fixture | undefined;
}

export function createCore({ clock, random, store, fixture }: CoreDeps) {
	const tables = {
		seed: store.table<Seed>("seed"),
		/** The fixture that the seed was created from. */
		fixture: store.table<ParsedFixture>("fixture"),
		directChannels: store.table<DirectChannel>("directChannel"),
		/** The channels of guilds that an admin deleted. */
		deletedChannels: store.table<{ readonly id: string }>("deletedChannel"),
		channelChanges: store.table<ChannelChanges>("channelChanges"),
		threads: store.table<Thread>("thread"),
		webhooks: store.table<Webhook>("webhook"),
		commands: store.table<APIApplicationCommand>("command"),
		commandPermissions: store.table<readonly CommandPermission[]>("commandPermissions"),
		interactions: store.table<Interaction>("interaction"),
		messages: store.table<StoredMessage>("message"),
		attachments: store.table<AttachmentRecord>("attachment"),
		skus: store.table<APISKU>("sku"),
		entitlements: store.table<APIEntitlement>("entitlement"),
		authorizations: store.table<OAuth2Authorization>("authorization"),
		memberRecords: store.table<MemberRecord>("member"),
		bans: store.table<Ban>("ban"),
		botStays: store.table<BotStay>("botStay"),
	};
	const storedSeed = tables.seed.get("seed");
	if (storedSeed && storedSeed.format !== SEED_FORMAT)
		throw new FixtureError(
			"another version of the playground created the data folder; use an empty folder, or remove playground.db and playground-media",
		);
	const ids = [
		...[
			tables.directChannels,
			tables.interactions,
			tables.messages,
			tables.threads,
			tables.webhooks,
			tables.skus,
			tables.entitlements,
			tables.authorizations,
		].flatMap((table) => [...table.values()].map(({ id }) => id)),
		...[...tables.commands.values()].flatMap(({ id, version }) => [id, version]),
		...[...tables.attachments.values()].map(({ attachment }) => attachment.id),
	];
	if (storedSeed) ids.push(...idsIn(storedSeed));
	const snowflakes = createSnowflakes(clock, ids.toSorted(compareSnowflakes).at(-1));
	const parsedFixture = parseFixture(fixture ?? tables.fixture.get("fixture") ?? DEFAULT_FIXTURE);
	if (storedSeed && !isDeepStrictEqual(parsedFixture, tables.fixture.get("fixture")))
		throw new FixtureError("the data folder was created from another fixture; use an empty folder");
	const seed = storedSeed ?? createSeed(snowflakes, random, clock.nowMs(), parsedFixture);
	if (!storedSeed)
		store.atomically(() => {
			tables.seed.set("seed", seed);
			tables.fixture.set("fixture", parsedFixture);
		});
	const events = createSimulatorEvents();
	return {
		clock,
		random,
		seed,
		snowflakes,
		events,
		tables,
		/** Makes the changes of `work` a transaction, and emits its events afterwards. */
		atomically: <Result>(work: () => Result): Result => events.emitAfter(() => store.atomically(work)),
	};
}

/** The ids of the seed, so that new ones differ. */
function idsIn(value: unknown): string[] {
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
		/^(id|.*Id)$/.test(key) && typeof inner === "string" ? inner : idsIn(inner),
	);
}
