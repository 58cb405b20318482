import type { APIApplicationCommand } from "discord-api-types/v10";
import { commandFaults, commandListFaults } from "../../schema/command-validation.ts";
import type { CommandBody, CommandScope } from "../../simulator/commands.ts";
import { type FieldFault, faults } from "../../simulator/api-error.ts";
import { booleanIn } from "../query.ts";
import type { Answer, RestRequest, RestRoom } from "../route.ts";

/** The global commands, or those of the guild in the path. */
function scopeOf(request: RestRequest, { simulator }: RestRoom, isGuild: boolean): CommandScope {
	if (request.param("application") !== simulator.seed.application.id) throw faults.unknownApplication();
	if (!isGuild) return null;
	const server = simulator.servers.find(request.param("guild"));
	if (!server || !simulator.installs.isInstalled(server)) throw faults.missingAccess();
	return server.id;
}

function refuse(found: readonly FieldFault[]): void {
	if (found.length > 0) throw faults.invalidForm(found);
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
	readonly list: (request: RestRequest, room: RestRoom) => Answer;
	readonly create: (request: RestRequest, room: RestRoom) => Answer;
	readonly replaceAll: (request: RestRequest, room: RestRoom) => Answer;
	readonly read: (request: RestRequest, room: RestRoom) => Answer;
	readonly change: (request: RestRequest, room: RestRoom) => Answer;
	readonly remove: (request: RestRequest, room: RestRoom) => Answer;
}

/** The same six handlers for guild commands and global commands. */
export function commandHandlers(isGuild: boolean): CommandHandlers {
	return {
		list(request, room) {
			const commands = room.simulator.commands.list(scopeOf(request, room, isGuild));
			const isFull = booleanIn(request.query, "with_localizations");
			return { status: 200, body: isFull ? commands : commands.map((command) => withoutLocalizations(command)) };
		},
		create(request, room) {
			const scope = scopeOf(request, room, isGuild);
			const body = request.body as CommandBody;
			refuse(commandFaults(body));
			const { command, isNew } = room.simulator.commands.put(scope, body);
			return { status: isNew ? 201 : 200, body: command };
		},
		replaceAll(request, room) {
			const scope = scopeOf(request, room, isGuild);
			const bodies = request.body as readonly CommandBody[];
			refuse(commandListFaults(bodies));
			return { status: 200, body: room.simulator.commands.putAll(scope, bodies) };
		},
		read(request, room) {
			return {
				status: 200,
				body: room.simulator.commands.get(scopeOf(request, room, isGuild), request.param("command")),
			};
		},
		change(request, room) {
			const scope = scopeOf(request, room, isGuild);
			const body = request.body as Partial<CommandBody>;
			refuse(commandFaults(body));
			return { status: 200, body: room.simulator.commands.patch(scope, request.param("command"), body) };
		},
		remove(request, room) {
			room.simulator.commands.remove(scopeOf(request, room, isGuild), request.param("command"));
			return { status: 204 };
		},
	};
}

/** The overrides of one command; without any, Discord responds that the permissions are unknown. */
export function permissions(request: RestRequest, room: RestRoom): Answer {
	scopeOf(request, room, true);
	const guildId = request.param("guild");
	const { commands, seed } = room.simulator;
	const id = request.param("command");
	if (![...commands.list(null), ...commands.list(guildId)].some((command) => command.id === id)) {
		throw faults.unknownCommand();
	}
	const overrides = commands.overrides(guildId, id);
	if (!overrides) throw faults.unknownCommandPermissions();
	return { status: 200, body: { id, application_id: seed.application.id, guild_id: guildId, permissions: overrides } };
}
