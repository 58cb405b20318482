import type { APIApplicationCommand } from "discord-api-types/v10";
import { commandErrors, commandListErrors } from "../../schema/command-validation.ts";
import type { CommandBody, CommandScope } from "../../simulator/commands.ts";
import { type FieldError, apiErrors } from "../../simulator/api-error.ts";
import { booleanParam } from "../read-request.ts";
import { CreatedResponse, type RestContext, type RestRequest } from "../route.ts";

/** The global commands, or those of the guild in the path. */
function scopeOf(request: RestRequest, { simulator }: RestContext): CommandScope {
	const guildId = request.params.get("guild");
	if (guildId === undefined) return null;
	const guild = simulator.guilds.find(guildId);
	if (!guild || !simulator.installs.isInstalled(guild)) throw apiErrors.missingAccess();
	return guild.id;
}

function rejectIfAny(found: readonly FieldError[]): void {
	if (found.length > 0) throw apiErrors.invalidForm(found);
}

/** Lists omit localizations unless requested. */
function withoutLocalizations({
	name_localizations: _names,
	description_localizations: _descriptions,
	...command
}: APIApplicationCommand): object {
	return command;
}

export function list(request: RestRequest, context: RestContext): object {
	const commands = context.simulator.commands.list(scopeOf(request, context));
	const isFull = booleanParam(request.query, "with_localizations");
	return isFull ? commands : commands.map((command) => withoutLocalizations(command));
}

export function create(request: RestRequest, context: RestContext): object {
	const scope = scopeOf(request, context);
	const body = request.body as CommandBody;
	rejectIfAny(commandErrors(body));
	const { command, isNew } = context.simulator.commands.put(scope, body);
	return isNew ? new CreatedResponse(command) : command;
}

export function replaceAll(request: RestRequest, context: RestContext): object {
	const scope = scopeOf(request, context);
	const bodies = request.body as readonly CommandBody[];
	rejectIfAny(commandListErrors(bodies));
	return context.simulator.commands.putAll(scope, bodies);
}

export function read(request: RestRequest, context: RestContext): object {
	return context.simulator.commands.get(scopeOf(request, context), request.param("command"));
}

export function edit(request: RestRequest, context: RestContext): object {
	const scope = scopeOf(request, context);
	const body = request.body as Partial<CommandBody>;
	rejectIfAny(commandErrors(body));
	return context.simulator.commands.patch(scope, request.param("command"), body);
}

export function remove(request: RestRequest, context: RestContext): void {
	context.simulator.commands.remove(scopeOf(request, context), request.param("command"));
}

/** The overrides of one command; without any, Discord responds that the permissions are unknown. */
export function permissions(request: RestRequest, context: RestContext): object {
	scopeOf(request, context);
	const guildId = request.param("guild");
	const { commands, seed } = context.simulator;
	const id = request.param("command");
	if (![...commands.list(null), ...commands.list(guildId)].some((command) => command.id === id)) {
		throw apiErrors.unknownCommand();
	}
	const overrides = commands.overrides(guildId, id);
	if (!overrides) throw apiErrors.unknownCommandPermissions();
	return { id, application_id: seed.application.id, guild_id: guildId, permissions: overrides };
}
