/** The simulated state of Discord and its rules, without sockets and requests. REST, gateway and user actions are built on it. */
import type { Logger } from "pino";
import { createKeyedMutex } from "@atelier/common/keyed-mutex";
import type { MediaStore } from "../media/media-store.ts";
import { createAttachments } from "./attachments.ts";
import { createChannels } from "./channels.ts";
import { createCommands } from "./commands.ts";
import { createCore, type CoreDeps } from "./core.ts";
import { createEntitlements } from "./entitlements.ts";
import { createGuilds, createInstalls } from "./guilds.ts";
import { createInteractions } from "./interactions.ts";
import { createMemberRecords } from "./member-records.ts";
import { createMembers } from "./members.ts";
import { createMessages } from "./messages.ts";
import { createOAuth2 } from "./oauth2.ts";
import { createAdminSettings } from "./admin-settings.ts";
import { createPolls } from "./polls.ts";
import { createSerializer } from "./serialize.ts";
import { createThreads } from "./threads.ts";
import { createWebhooks } from "./webhooks.ts";

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
	const adminSettings = createAdminSettings();
	const attachments = createAttachments(core, deps);
	const messages = createMessages(core, attachments);
	const commands = createCommands(core);
	const installs = createInstalls(core, { adminSettings, guilds, commands });
	const members = createMembers(core, { guilds, installs, adminSettings, records, messages });
	const threads = createThreads(core, { members, messages });
	const channels = createChannels(core, { guilds, installs, members, adminSettings, messages, threads });
	/** Ignores the error of waits that shutdown aborts. */
	function logUnlessStopped(error: unknown): void {
		if (!deps.stop.aborted) deps.logger.error({ err: error }, "wait failed");
	}
	/** Emits an event for the page when a timeout ends, in which nothing else changes. */
	function announceEnd(untilMs: number | null | undefined): void {
		const leftMs = (untilMs ?? 0) - core.clock.nowMs();
		if (leftMs <= 0) return;
		const ended = core.clock.sleep(leftMs, deps.stop).then(() => core.events.emit({ type: "view" }));
		ended.catch(logUnlessStopped);
	}
	for (const { timedOutUntilMs } of records.all()) announceEnd(timedOutUntilMs);
	core.events.listen((event) => {
		if (event.type === "memberUpdate") announceEnd(members.timedOutUntilMs(event.guild, event.userId));
	});
	/** Resets the settings of the admin API, the changes of channels by the bot, and the roles of the initial members. */
	function reset(): void {
		const changed = [...adminSettings.guilds.keys()].flatMap((id) => guilds.find(id) ?? []);
		const [withBot, withoutBot] = [
			changed.filter((guild) => installs.isMember(guild)),
			changed.filter((guild) => !installs.isMember(guild)),
		];
		const changedRoles = withBot.flatMap((guild) =>
			[...(adminSettings.guilds.get(guild.id)?.roles?.keys() ?? [])].map((roleId) => ({ guild, roleId })),
		);
		const { channelChanges } = core.tables;
		const changedChannels = [...new Set([...adminSettings.overwrites.keys(), ...channelChanges.ids()])]
			.flatMap((id) => channels.find(id) ?? [])
			.filter((channel) => channel.kind === "guild")
			.filter(({ guild }) => installs.isMember(guild));
		channels.changeOverwrites(changedChannels, () => {
			adminSettings.reset();
			for (const id of channelChanges.ids()) channelChanges.delete(id);
		});
		for (const guild of withBot) core.events.emit({ type: "guild", guild });
		for (const changedRole of changedRoles) core.events.emit({ type: "role", ...changedRole });
		// GUILD_CREATE contains all of this.
		for (const guild of withoutBot)
			core.events.emit({ type: "bot", guild, wasMember: false, isMember: installs.isMember(guild) });
		members.resetRoles();
		core.events.emit({ type: "view" });
	}
	return {
		...core,
		reset,
		guilds,
		adminSettings,
		members,
		attachments,
		messages,
		commands,
		installs,
		channels,
		threads,
		polls: createPolls(core, { messages, stop: deps.stop, onError: logUnlessStopped }),
		webhooks: createWebhooks(core, { members, origin: deps.origin }),
		interactions: createInteractions(core),
		serialize: createSerializer({ members, messages, threads, origin: deps.origin }),
		entitlements: createEntitlements(core),
		oauth2: createOAuth2(core, () => adminSettings.redirectUris ?? deps.redirectUris()),
		/** Serializes the edits of a message, and the follow-ups that may become it. */
		messageMutex: createKeyedMutex(),
		logUnlessStopped,
	};
}
