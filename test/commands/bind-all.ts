import { pino } from "pino";
import {
	bind,
	joinCommandSets,
	type BoundCommandSet,
	type CommandSet,
} from "../../src/commands/framework/bind-commands.ts";
import { createDispatch, type DispatchDeps } from "../../src/commands/framework/dispatch.ts";
import { COMMAND_SETS } from "../../src/commands/index.ts";

type FakeServices = Readonly<Record<string, unknown>>;

/** Binds every command and component of the bot to the same fakes. */
function bindAll(services: FakeServices): BoundCommandSet {
	return joinCommandSets(COMMAND_SETS.map((set) => bind(set as CommandSet<unknown>, services)));
}

/** Dispatches interactions to commands with these fakes: by default to all of the bot, without a log. */
export function dispatchWith(
	services: FakeServices,
	{ commands = bindAll(services), logger = pino({ level: "silent" }) }: Partial<DispatchDeps> = {},
) {
	const { languages, settings, topUp } = services as unknown as DispatchDeps;
	return createDispatch({ commands, languages, settings, topUp, logger });
}

export const { components } = bindAll({});
const definitions = bindAll({}).commands.map(({ definition }) => definition);
export const slashCommands = definitions.filter((definition) => "description" in definition);
export const messageCommands = definitions.filter((definition) => !("description" in definition));
