/**
 * The simulated state of Discord and its rules, without sockets and requests. REST, gateway and page are built on it.
 */
import type { APIApplicationCommand } from "discord-api-types/v10";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createKeyedMutex } from "@atelier/common/keyed-mutex";
import type { MediaStore } from "../media/media-store.ts";
import type { DocumentStore } from "../document-store.ts";
import { type AttachmentRecord, type Attachments, createAttachments } from "./attachments.ts";
import { type Commands, createCommands } from "./commands.ts";
import { createSimulatorEvents, type SimulatorEvents } from "./events.ts";
import { createInteractions, type Interaction, type Interactions } from "./interactions.ts";
import { createMessages, type Messages } from "./messages.ts";
import { createGuilds, createInstalls, type Guilds, type Installs, type Removal } from "./guilds.ts";
import { createMembers, type Members } from "./members.ts";
import type { CommandOverride } from "./permissions.ts";
import { createChannels, type DirectChannel, type Channels } from "./channels.ts";
import { createSeed, type RandomBytes, type Seed } from "./seed.ts";
import { createSerializer, type Serializer } from "./serialize.ts";
import { compareSnowflakes, createSnowflakes } from "./discord-values.ts";
import type { Entitlement, StoredMessage } from "./documents.ts";
import { createEntitlements, type Sku, type Entitlements } from "./entitlements.ts";
import { createOverrides, type Overrides } from "./overrides.ts";

export interface Simulator {
	readonly clock: Clock;
	readonly seed: Seed;
	readonly events: SimulatorEvents;
	readonly guilds: Guilds;
	readonly installs: Installs;
	readonly members: Members;
	readonly channels: Channels;
	readonly commands: Commands;
	readonly interactions: Interactions;
	readonly messages: Messages;
	readonly attachments: Attachments;
	readonly serialize: Serializer;
	readonly entitlements: Entitlements;
	/** Serializes the edits of a message. */
	readonly messageMutex: ReturnType<typeof createKeyedMutex>;
	readonly overrides: Overrides;
	/** Makes the changes of `work` a transaction, and emits its events afterwards. */
	readonly atomically: <Result>(work: () => Result) => Result;
	/** Ignores the error of waits that shutdown aborts. */
	readonly logUnlessStopped: (error: unknown) => void;
}

export function createSimulator(deps: {
	clock: Clock;
	logger: Logger;
	random: RandomBytes;
	store: DocumentStore;
	media: MediaStore;
	origin: () => string;
	stop: AbortSignal;
}): Simulator {
	const { clock, logger, random, store, media, origin, stop } = deps;
	const tables = {
		seed: store.table<Seed>("seed"),
		directChannels: store.table<DirectChannel>("directChannel"),
		commands: store.table<APIApplicationCommand>("command"),
		overrides: store.table<readonly CommandOverride[]>("commandOverrides"),
		interactions: store.table<Interaction>("interaction"),
		messages: store.table<StoredMessage>("message"),
		attachments: store.table<AttachmentRecord>("attachment"),
		skus: store.table<Sku>("sku"),
		entitlements: store.table<Entitlement>("entitlement"),
		removals: store.table<Removal>("removal"),
	};
	const ids = [
		...[tables.directChannels, tables.interactions, tables.messages, tables.skus, tables.entitlements].flatMap(
			(table) => [...table.values()].map(({ id }) => id),
		),
		...[...tables.commands.values()].flatMap(({ id, version }) => [id, version]),
		...[...tables.attachments.values()].map(({ attachment }) => attachment.id),
	];
	const known = tables.seed.get("seed");
	if (known) ids.push(...idsIn(known));
	const snowflakes = createSnowflakes(clock, ids.toSorted(compareSnowflakes).at(-1));
	const seed = known ?? createSeed(snowflakes, random, clock.nowMs());
	if (!known) tables.seed.set("seed", seed);

	const events = createSimulatorEvents();
	const guilds = createGuilds(seed);
	const overrides = createOverrides(seed);
	const members = createMembers(seed, guilds, overrides);
	const attachments = createAttachments({
		media,
		snowflakes,
		records: tables.attachments,
		nowMs: () => clock.nowMs(),
		onError: (error) => logger.error({ err: error }, "file not removed"),
	});
	const messages = createMessages({
		clock,
		snowflakes,
		events,
		records: tables.messages,
		onRemoved: (message) => attachments.remove(message.attachments.map(({ id }) => id)),
	});
	const commands = createCommands({
		applicationId: seed.application.id,
		snowflakes,
		events,
		records: tables.commands,
		overrideRecords: tables.overrides,
		atomically: (work) => store.atomically(work),
	});
	return {
		clock,
		seed,
		events,
		guilds,
		installs: createInstalls({ removals: tables.removals, overrides, guilds, commands, events }),
		members,
		attachments,
		messages,
		channels: createChannels({
			seed,
			guilds,
			members,
			overrides,
			snowflakes,
			directChannels: tables.directChannels,
			lastMessageId: (channelId) => messages.lastId(channelId),
		}),
		commands,
		interactions: createInteractions({
			clock,
			snowflakes,
			random,
			events,
			applicationId: seed.application.id,
			records: tables.interactions,
		}),
		serialize: createSerializer({ members, origin }),
		entitlements: createEntitlements({
			clock,
			snowflakes,
			events,
			applicationId: seed.application.id,
			skus: tables.skus,
			records: tables.entitlements,
		}),
		messageMutex: createKeyedMutex(),
		atomically: (work) => events.emitAfter(() => store.atomically(work)),
		overrides,
		logUnlessStopped(error) {
			if (!stop.aborted) logger.error({ err: error }, "wait failed");
		},
	};
}

/** The ids of the seed, so that new ones differ. */
function idsIn(value: unknown): string[] {
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
		/^(id|.*Id)$/.test(key) && typeof inner === "string" ? inner : idsIn(inner),
	);
}
