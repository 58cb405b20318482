/**
 * The simulated state of Discord and its rules, without sockets and requests. REST, gateway and page are built on it.
 */
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createKeyedMutex } from "@atelier/common/keyed-mutex";
import type { MediaStore } from "../media/media-store.ts";
import type { DocumentStore } from "../document-store.ts";
import { createAttachments } from "./attachments.ts";
import { createChannels } from "./channels.ts";
import { createCommands } from "./commands.ts";
import { createCore } from "./simulator-state.ts";
import { createEntitlements } from "./entitlements.ts";
import { createGuilds, createInstalls } from "./guilds.ts";
import { createInteractions } from "./interactions.ts";
import { createMembers } from "./members.ts";
import { createMessages } from "./messages.ts";
import { createOAuth2 } from "./oauth2.ts";
import { createOverrides } from "./admin-overrides.ts";
import type { RandomBytes } from "./seed.ts";
import { createSerializer } from "./serialize.ts";

export type Simulator = ReturnType<typeof createSimulator>;

export function createSimulator(deps: {
	clock: Clock;
	logger: Logger;
	random: RandomBytes;
	store: DocumentStore;
	media: MediaStore;
	origin: () => string;
	redirectUris: () => readonly string[];
	stop: AbortSignal;
}) {
	const core = createCore(deps);
	const guilds = createGuilds(core.seed);
	const overrides = createOverrides(core.seed);
	const members = createMembers(core.seed, guilds, overrides);
	const attachments = createAttachments(core, deps);
	const messages = createMessages(core, attachments);
	const commands = createCommands(core);
	const channels = createChannels(core, { guilds, members, overrides, messages });
	return {
		...core,
		guilds,
		overrides,
		members,
		attachments,
		messages,
		commands,
		installs: createInstalls(core, { overrides, guilds, commands }),
		channels,
		interactions: createInteractions(core),
		serialize: createSerializer(members, channels.hasThread, deps.origin),
		entitlements: createEntitlements(core),
		oauth2: createOAuth2(core, () => overrides.redirectUris ?? deps.redirectUris()),
		/** Serializes the edits of a message. */
		messageMutex: createKeyedMutex(),
		/** Ignores the error of waits that shutdown aborts. */
		logUnlessStopped: (error: unknown): void => {
			if (!deps.stop.aborted) deps.logger.error({ err: error }, "wait failed");
		},
	};
}
