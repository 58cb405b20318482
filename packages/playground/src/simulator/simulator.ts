/**
 * The simulated state of Discord and its rules, without sockets and requests. REST, gateway and page are built on it.
 */
import type { Logger } from "pino";
import { createKeyedMutex } from "@atelier/common/keyed-mutex";
import type { MediaStore } from "../media/media-store.ts";
import { createAttachments } from "./attachments.ts";
import { createChannels } from "./channels.ts";
import { createCommands } from "./commands.ts";
import { createCore, type CoreDeps } from "./simulator-state.ts";
import { createEntitlements } from "./entitlements.ts";
import { createGuilds, createInstalls } from "./guilds.ts";
import { createInteractions } from "./interactions.ts";
import { createMemberRecords } from "./member-records.ts";
import { createMembers } from "./members.ts";
import { createMessages } from "./messages.ts";
import { createModeration } from "./moderation.ts";
import { createOAuth2 } from "./oauth2.ts";
import { createOverrides } from "./admin-overrides.ts";
import { createReactions } from "./reactions.ts";
import { createSerializer } from "./serialize.ts";

export type Simulator = ReturnType<typeof createSimulator>;

interface SimulatorDeps extends CoreDeps {
	readonly logger: Logger;
	readonly media: MediaStore;
	readonly origin: () => string;
	readonly redirectUris: () => readonly string[];
	readonly stop: AbortSignal;
}

export function createSimulator(deps: SimulatorDeps) {
	const core = createCore(deps);
	const records = createMemberRecords(core);
	const guilds = createGuilds(core.seed, records);
	const overrides = createOverrides(core.seed);
	const members = createMembers(core.seed, { guilds, overrides, records });
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
		moderation: createModeration(core, { records, messages, overrides }),
		reactions: createReactions(core, messages),
		interactions: createInteractions(core),
		serialize: createSerializer(
			members,
			{ hasThread: channels.hasThread, findMessage: (channelId, id) => messages.find(channelId, id) },
			deps.origin,
		),
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
