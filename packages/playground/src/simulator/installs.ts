/** The guilds of the bot: all, except for those that it was removed from. */
import type { Table } from "../document-store.ts";
import type { Commands } from "./commands.ts";
import type { SimulatorEvents } from "./events.ts";
import type { SeedGuild } from "./seed.ts";
import type { Guilds } from "./guilds.ts";
import type { Overrides } from "./overrides.ts";

/** A guild without the bot. */
export interface Removal {
	readonly id: string;
}

export interface Installs {
	/** Returns whether its commands are available there. */
	readonly isInstalled: (server: SeedGuild) => boolean;
	/** Returns whether the bot itself is a member, not only its commands. */
	readonly isMember: (server: SeedGuild) => boolean;
	/** Also removes the commands of this guild. */
	readonly remove: (server: SeedGuild) => void;
	readonly add: (server: SeedGuild) => void;
	/** Sets the number of guilds; the bot joins the new ones and is told about the removed ones. */
	readonly setCount: (count: number) => void;
}

export function createInstalls(deps: {
	removals: Table<Removal>;
	switches: Pick<Overrides, "isBotMember">;
	servers: Guilds;
	commands: Pick<Commands, "forget">;
	events: SimulatorEvents;
}): Installs {
	const { removals, switches, servers, commands, events } = deps;
	const isInstalled = ({ id }: SeedGuild): boolean => removals.get(id) === undefined;
	const isMember = (server: SeedGuild): boolean => isInstalled(server) && switches.isBotMember(server);
	return {
		isInstalled,
		isMember,
		setCount(count) {
			const before = servers.count;
			const gone = [...servers.all(count)];
			servers.setCount(count);
			const isGone = ({ id }: SeedGuild): boolean => servers.find(id) === undefined;
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
