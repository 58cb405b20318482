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
	readonly isInstalled: (guild: SeedGuild) => boolean;
	/** Returns whether the bot itself is a member, not only its commands. */
	readonly isMember: (guild: SeedGuild) => boolean;
	/** Also removes the commands of this guild. */
	readonly remove: (guild: SeedGuild) => void;
	readonly add: (guild: SeedGuild) => void;
	/** Sets the number of guilds; the bot joins the new ones and is told about the removed ones. */
	readonly setCount: (count: number) => void;
}

export function createInstalls(deps: {
	removals: Table<Removal>;
	overrides: Pick<Overrides, "isBotMember">;
	guilds: Guilds;
	commands: Pick<Commands, "removeGuild">;
	events: SimulatorEvents;
}): Installs {
	const { removals, overrides, guilds, commands, events } = deps;
	const isInstalled = ({ id }: SeedGuild): boolean => removals.get(id) === undefined;
	const isMember = (guild: SeedGuild): boolean => isInstalled(guild) && overrides.isBotMember(guild);
	return {
		isInstalled,
		isMember,
		setCount(count) {
			const before = guilds.count;
			const gone = [...guilds.all(count)];
			guilds.setCount(count);
			const isGone = ({ id }: SeedGuild): boolean => guilds.find(id) === undefined;
			events.emit({ type: "guilds", added: [...guilds.all(before)], removed: gone.filter(isGone) });
		},
		remove(guild) {
			if (!isInstalled(guild)) return;
			const wasMember = isMember(guild);
			removals.set(guild.id, { id: guild.id });
			commands.removeGuild(guild.id);
			events.emit({ type: "bot", guild, was: wasMember, is: false });
		},
		add(guild) {
			if (isInstalled(guild)) return;
			removals.delete(guild.id);
			events.emit({ type: "bot", guild, was: false, is: isMember(guild) });
		},
	};
}
