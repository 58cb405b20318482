/** In which servers the bot is: in all, until a person removes it from one, and again when they add it. */
import type { Table } from "../document-store.ts";
import type { Commands } from "./commands.ts";
import type { WorldEvents } from "./events.ts";
import type { SeedServer } from "./seed.ts";
import type { Servers } from "./guilds.ts";
import type { Switches } from "./overrides.ts";

/** A server that has not got the bot. */
export interface Removal {
	readonly id: string;
}

export interface Installs {
	/** Whether its commands can be used there. */
	readonly isInstalled: (server: SeedServer) => boolean;
	/** Whether the bot itself is a member, and not only its commands are there. */
	readonly isMember: (server: SeedServer) => boolean;
	/** What it has registered for this server alone goes with it. */
	readonly remove: (server: SeedServer) => void;
	readonly add: (server: SeedServer) => void;
	/** So many servers in all; the bot is added to those that are new, and hears of those that are no more. */
	readonly setCount: (count: number) => void;
}

export function createInstalls(deps: {
	removals: Table<Removal>;
	switches: Pick<Switches, "isBotMember">;
	servers: Servers;
	commands: Pick<Commands, "forget">;
	events: WorldEvents;
}): Installs {
	const { removals, switches, servers, commands, events } = deps;
	const isInstalled = ({ id }: SeedServer): boolean => removals.get(id) === undefined;
	const isMember = (server: SeedServer): boolean => isInstalled(server) && switches.isBotMember(server);
	return {
		isInstalled,
		isMember,
		setCount(count) {
			const before = servers.count;
			const gone = [...servers.all(count)];
			servers.setCount(count);
			const isGone = ({ id }: SeedServer): boolean => servers.find(id) === undefined;
			events.emit({ type: "servers", added: [...servers.all(before)], gone: gone.filter(isGone) });
		},
		remove(server) {
			if (!isInstalled(server)) return;
			const wasMember = isMember(server);
			removals.set(server.id, { id: server.id });
			commands.forget(server.id);
			events.emit({ type: "bot", server, was: wasMember, is: false });
		},
		add(server) {
			if (isInstalled(server)) return;
			removals.delete(server.id);
			events.emit({ type: "bot", server, was: false, is: isMember(server) });
		},
	};
}
