/** Replaces ids, tokens and times by placeholders, and placeholders by those of this playground. */
import { mapJson } from "../json.ts";
import { parseJson } from "../simulator/discord-formats.ts";
import type { Simulator } from "../simulator/simulator.ts";

const SNOWFLAKE = /(?<!\d)\d{17,20}(?!\d)/g;
const MARKUP_TIME = /(?<=<t:)\d+/g;
const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const PLACEHOLDER = /\{\{([^{}]+)\}\}/g;

export function createPlaceholders(
	{ seed, interactions, commands, entitlements, channels }: Simulator,
	{ origin, token }: { readonly origin: () => string; readonly token: string },
) {
	const names = new Map<string, string>();
	const ids = new Map<string, string>();
	const counts = new Map<string, number>();
	/** Read once: each read is a system call, and a list of commands has thousands of texts. */
	let ownOrigin: string | undefined;

	/** Numbers all but the first of the same name: servers, roles and channels may share one. */
	function assign(id: string, wanted: string): string {
		let name = wanted;
		while (ids.has(name)) name = nextOf(wanted, 2);
		names.set(id, name);
		ids.set(name, id);
		return name;
	}
	function nextOf(kind: string, first = 1): string {
		const number = counts.get(kind) ?? first;
		counts.set(kind, number + 1);
		return `${kind} ${number}`;
	}
	/** Gives an id without a name the next number of this kind. */
	function assignNext(id: string, kind: string): string {
		return names.get(id) ?? assign(id, nextOf(kind));
	}
	function nameOf(id: string): string {
		const known = names.get(id);
		if (known !== undefined) return known;
		if (interactions.find(id)) return assignNext(id, "interaction");
		const scopes = [null, ...seed.guilds.map((guild) => guild.id)];
		const command = scopes.flatMap((scope) => commands.list(scope)).find((each) => each.id === id);
		return command ? assign(id, `command ${command.name}`) : assignNext(id, "id");
	}
	function assignDirectChannel(userId: string): void {
		const channel = channels.directOf(userId);
		if (channel) assign(channel.id, `direct channel of ${nameOf(userId)}`);
	}
	function clear(): void {
		for (const map of [names, ids, counts]) map.clear();
		// Text that looks like a placeholder is none.
		ids.set("braces", "{{");
		ids.set("token", token);
		assign(seed.application.id, "application");
		for (const { id, username } of seed.users) {
			assign(id, `user ${username}`);
			assignDirectChannel(id);
		}
		for (const { id, name } of entitlements.skus()) assign(id, `item ${name}`);
		for (const guild of seed.guilds) {
			assign(guild.id, `guild ${guild.name}`);
			assign(guild.botRoleId, `bot role ${guild.name}`);
			assign(guild.adminRoleId, `admin role ${guild.name}`);
			for (const { id, name } of guild.roles) assign(id, `role ${guild.name}/${name}`);
			for (const { id, name } of guild.channels) assign(id, `channel ${guild.name}/${name}`);
		}
	}
	clear();

	function replaceInAction(text: string): string {
		ownOrigin ??= origin();
		return text
			.replaceAll("{{", "{{braces}}")
			.replaceAll(token, "{{token}}")
			.replaceAll(ownOrigin, "{{origin}}")
			.replaceAll(SNOWFLAKE, (id) => `{{${nameOf(id)}}}`);
	}
	/** Also replaces times, which differ with each run of the bot. Users repeat theirs. */
	function replaceInRequest(text: string): string {
		return replaceInAction(text).replaceAll(MARKUP_TIME, "{{time}}").replaceAll(ISO_TIME, "{{time}}");
	}

	return {
		nameOf,
		assignNext,
		assignDirectChannel,
		replaceInAction,
		replaceInRequest,
		/** Replaces in strings only: a long number is no id. */
		replaceInJson: (json: string | undefined, replace: (text: string) => string): unknown =>
			json === undefined
				? undefined
				: mapJson(parseJson(json), (value) => (typeof value === "string" ? replace(value) : value)),
		/** Forgets everything but the initial users and guilds. */
		clear,
		/** Returns the value with the ids, the token and the origin of this playground. Throws for a placeholder that has none. */
		resolve(json: unknown): unknown {
			const text = JSON.stringify(json).replaceAll(PLACEHOLDER, (_, quoted: string) => {
				const name = String(JSON.parse(`"${quoted}"`));
				const id = name === "origin" ? origin() : ids.get(name);
				if (id === undefined) throw new Error(`there is no ${name} here`);
				return id;
			});
			return parseJson(text);
		},
	};
}
