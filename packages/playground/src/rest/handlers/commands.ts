/** The commands of the application, and their permissions. */
import type { APIApplicationCommand } from "discord-api-types/v10";
import { commandErrors, commandListErrors, DUPLICATE_NAME_ERROR } from "../../schema/command-validation.ts";
import type { CommandBody, CommandScope } from "../../simulator/commands.ts";
import { apiErrors, rejectFields } from "../../simulator/api-error.ts";
import { booleanParam } from "../read-request.ts";
import { CreatedResponse, type RestRequest } from "../route.ts";

/** The global commands, or those of the guild in the path. */
function scopeOf({ simulator, params }: RestRequest): CommandScope {
	const guildId = params.get("guild");
	if (guildId === undefined) return null;
	const guild = simulator.guilds.find(guildId);
	if (!guild || !simulator.installs.isInstalled(guild)) throw apiErrors.missingAccess();
	return guild.id;
}

/** Lists omit localizations unless requested. */
function withoutLocalizations({
	name_localizations: _names,
	description_localizations: _descriptions,
	...command
}: APIApplicationCommand): object {
	return command;
}

export function list(request: RestRequest): object {
	const commands = request.simulator.commands.list(scopeOf(request));
	const isFull = booleanParam(request.query, "with_localizations");
	return isFull ? commands : commands.map((command) => withoutLocalizations(command));
}

export function create(request: RestRequest): object {
	const scope = scopeOf(request);
	const body = request.body as CommandBody;
	rejectFields(commandErrors(body));
	const { command, isNew } = request.simulator.commands.put(scope, body);
	return isNew ? new CreatedResponse(command) : command;
}

export function replaceAll(request: RestRequest): object {
	const scope = scopeOf(request);
	const bodies = request.body as readonly CommandBody[];
	rejectFields(commandListErrors(bodies));
	return request.simulator.commands.putAll(scope, bodies);
}

export function read(request: RestRequest): object {
	return request.simulator.commands.get(scopeOf(request), request.param("command"));
}

export function edit(request: RestRequest): object {
	const scope = scopeOf(request);
	const { commands } = request.simulator;
	const known = commands.get(scope, request.param("command"));
	const body: CommandBody = { ...known, ...(request.body as Partial<CommandBody>) };
	const { type } = known;
	const isDuplicate = commands
		.list(scope)
		.some((other) => other.id !== known.id && other.type === type && other.name === body.name);
	rejectFields([...commandErrors(body), ...(isDuplicate ? [DUPLICATE_NAME_ERROR] : [])]);
	return commands.replace(scope, known, body);
}

export function remove(request: RestRequest): void {
	request.simulator.commands.remove(scopeOf(request), request.param("command"));
}

/** The permissions of all commands that have some. */
export function allPermissions(request: RestRequest): object {
	scopeOf(request);
	const guildId = request.param("guild");
	const { commands } = request.simulator;
	return commands
		.listIn(guildId)
		.filter(({ id }) => commands.permissions(guildId, id))
		.map(({ id }) => commands.serializePermissions(guildId, id));
}

/** The permissions of one command; without any, Discord responds that they are unknown. */
export function permissions(request: RestRequest): object {
	scopeOf(request);
	const guildId = request.param("guild");
	const { commands } = request.simulator;
	const id = request.param("command");
	if (!commands.listIn(guildId).some((command) => command.id === id)) throw apiErrors.unknownCommand();
	if (!commands.permissions(guildId, id)) throw apiErrors.unknownCommandPermissions();
	return commands.serializePermissions(guildId, id);
}
