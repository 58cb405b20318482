import {
	bind,
	joinCommandSets,
	type BoundCommandSet,
	type CommandSet,
} from "../../src/commands/framework/bind-commands.ts";
import type { DispatchDeps } from "../../src/commands/framework/dispatch.ts";
import { COMMAND_SETS } from "../../src/commands/index.ts";

type FakeServices = Readonly<Record<string, unknown>>;

/** Binds every command and component of the bot to the same fakes. */
function bindAll(services: FakeServices): BoundCommandSet {
	return joinCommandSets(COMMAND_SETS.map((set) => bind(set as CommandSet<unknown>, services)));
}

/** Binds `set` to fakes and returns what `createDispatch` needs, except for the logger. */
export function dispatchDeps(services: FakeServices, set: BoundCommandSet = bindAll(services)) {
	const { languages, settings, topUp } = services as unknown as Omit<DispatchDeps, "commands">;
	return { commands: set, languages, settings, topUp };
}

export const { components } = bindAll({});
const definitions = bindAll({}).commands.map(({ definition }) => definition);
export const slashCommands = definitions.filter((definition) => "description" in definition);
export const messageCommands = definitions.filter((definition) => !("description" in definition));
