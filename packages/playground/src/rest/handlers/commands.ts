import type { APIApplicationCommand } from "discord-api-types/v10";
import { commandErrors, commandListErrors } from "../../schema/command-validation.ts";
import type { CommandBody, CommandScope } from "../../simulator/commands.ts";
import { type FieldError, apiErrors } from "../../simulator/api-error.ts";
import { booleanParam } from "../read-request.ts";
import type { RestResponse, RestRequest, RestContext } from "../route.ts";

/** The global commands, or those of the guild in the path. */
function scopeOf(request: RestRequest, { simulator }: RestContext, isGuild: boolean): CommandScope {
	if (request.param("application") !== simulator.seed.application.id) throw apiErrors.unknownApplication();
	if (!isGuild) return null;
	const guild = simulator.guilds.find(request.param("guild"));
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

export interface CommandHandlers {
	readonly list: (request: RestRequest, context: RestContext) => RestResponse;
	readonly create: (request: RestRequest, context: RestContext) => RestResponse;
	readonly replaceAll: (request: RestRequest, context: RestContext) => RestResponse;
	readonly read: (request: RestRequest, context: RestContext) => RestResponse;
	readonly change: (request: RestRequest, context: RestContext) => RestResponse;
	readonly remove: (request: RestRequest, context: RestContext) => RestResponse;
}

/** The same six handlers for guild commands and global commands. */
export function commandHandlers(isGuild: boolean): CommandHandlers {
	return {
		list(request, context) {
			const commands = context.simulator.commands.list(scopeOf(request, context, isGuild));
			const isFull = booleanParam(request.query, "with_localizations");
			return { status: 200, body: isFull ? commands : commands.map((command) => withoutLocalizations(command)) };
		},
		create(request, context) {
			const scope = scopeOf(request, context, isGuild);
			const body = request.body as CommandBody;
			rejectIfAny(commandErrors(body));
			const { command, isNew } = context.simulator.commands.put(scope, body);
			return { status: isNew ? 201 : 200, body: command };
		},
		replaceAll(request, context) {
			const scope = scopeOf(request, context, isGuild);
			const bodies = request.body as readonly CommandBody[];
			rejectIfAny(commandListErrors(bodies));
			return { status: 200, body: context.simulator.commands.putAll(scope, bodies) };
		},
		read(request, context) {
			return {
				status: 200,
				body: context.simulator.commands.get(scopeOf(request, context, isGuild), request.param("command")),
			};
		},
		change(request, context) {
			const scope = scopeOf(request, context, isGuild);
			const body = request.body as Partial<CommandBody>;
			rejectIfAny(commandErrors(body));
			return { status: 200, body: context.simulator.commands.patch(scope, request.param("command"), body) };
		},
		remove(request, context) {
			context.simulator.commands.remove(scopeOf(request, context, isGuild), request.param("command"));
			return { status: 204 };
		},
	};
}

/** The overrides of one command; without any, Discord responds that the permissions are unknown. */
export function permissions(request: RestRequest, context: RestContext): RestResponse {
	scopeOf(request, context, true);
	const guildId = request.param("guild");
	const { commands, seed } = context.simulator;
	const id = request.param("command");
	if (![...commands.list(null), ...commands.list(guildId)].some((command) => command.id === id)) {
		throw apiErrors.unknownCommand();
	}
	const overrides = commands.overrides(guildId, id);
	if (!overrides) throw apiErrors.unknownCommandPermissions();
	return { status: 200, body: { id, application_id: seed.application.id, guild_id: guildId, permissions: overrides } };
}
