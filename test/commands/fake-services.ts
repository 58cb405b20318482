import { pino, type Logger } from "pino";
import type { CommandServices } from "../../src/commands/command-services.ts";
import { createDispatch, type DispatchDeps } from "../../src/commands/framework/dispatch.ts";
import { createCommandMentions } from "../../src/discord/command-mentions.ts";
import * as all from "../../src/commands/index.ts";

export type FakeServices = Readonly<Partial<Record<keyof CommandServices, unknown>>>;

/** Returns the services that a test replaces. All others are `undefined`, so that their use fails. */
export function fakeServices(fakes: FakeServices): CommandServices {
	return fakes as CommandServices;
}

const NO_MENTIONS = createCommandMentions([]);

/** Dispatches interactions to commands with these fakes: by default to all of the bot, without a log and without mentions of commands. */
export function dispatchWith(
	fakes: FakeServices,
	{
		commands = all.commands,
		components = all.components,
		logger = pino({ level: "silent" }),
	}: Partial<DispatchDeps> = {},
) {
	const servicesWith = (child: Logger): CommandServices =>
		new Proxy(fakeServices(fakes), {
			get: (services, name) =>
				name === "logger"
					? child
					: (Reflect.get(services, name) ?? (name === "commandMentions" ? NO_MENTIONS : undefined)),
		});
	return createDispatch({ commands, components, servicesWith, claim: async () => true, logger });
}

const definitions = all.commands.map(({ definition }) => definition);
export const slashCommands = definitions.filter((definition) => "description" in definition);
export const messageCommands = definitions.filter((definition) => !("description" in definition));
