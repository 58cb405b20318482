import { PermissionFlagsBits } from "discord-api-types/v10";
import { FixtureError, type ParsedFixture } from "../fixture.ts";
import { earlierSnowflake, type Snowflakes } from "./discord-formats.ts";
import { SEED_FORMAT, type Seed } from "./documents.ts";

/** A source of random bytes; injected, so that tests are deterministic. */
export type RandomBytes = (byteCount: number) => Uint8Array;

/** Old enough for rules against new accounts. */
const ACCOUNT_AGE_MS = 2 * 365 * 24 * 60 * 60_000;

export function createSeed(snowflakes: Snowflakes, random: RandomBytes, nowMs: number, fixture: ParsedFixture): Seed {
	const applicationId = snowflakes.next();
	const users = fixture.users.map(({ createdAt, ...user }, index) => {
		const createdMs = createdAt === undefined ? nowMs - ACCOUNT_AGE_MS : Date.parse(createdAt);
		if (createdMs > nowMs) throw new FixtureError(`user "${user.username}": createdAt is in the future`);
		return { id: earlierSnowflake(applicationId, nowMs - createdMs, index), ...user };
	});
	const idByUsername = new Map(users.map(({ id, username }) => [username, id]));
	const idsOf = (usernames: readonly string[]): string[] => usernames.flatMap((name) => idByUsername.get(name) ?? []);
	/** The fixture has at least one member, and only known ones. */
	const ownerOf = (usernames: readonly string[]): string => idsOf(usernames)[0] ?? "";
	const firstGuildId = snowflakes.next();
	const guilds = fixture.guilds.map(({ members, roles: roleFixtures, channels, ...guild }, index) => {
		// A millisecond apart, so that consecutive guilds are on different shards if there are several.
		const id = index === 0 ? firstGuildId : earlierSnowflake(firstGuildId, index);
		const [adminRoleId, botRoleId] = [snowflakes.next(), snowflakes.next()];
		const roles = roleFixtures.map((role) => ({
			id: snowflakes.next(),
			name: role.name,
			memberIds: idsOf(role.members),
			permissions: combine(role.permissions),
		}));
		const roleIds = new Map([
			["@everyone", id],
			["bot", botRoleId],
			...roles.map((role) => [role.name, role.id] as const),
		]);
		return {
			id,
			...guild,
			createdMs: nowMs,
			ownerId: ownerOf(members),
			adminRoleId,
			botRoleId,
			channels: channels.map(({ overwrites, ...channel }) => ({
				id: snowflakes.next(),
				...channel,
				/** The fixture names known roles only. */
				overwrites: overwrites.map(({ role, allow, deny }) => ({
					id: roleIds.get(role) ?? "",
					type: 0 as const,
					allow: combine(allow),
					deny: combine(deny),
				})),
			})),
			memberIds: idsOf(members),
			roles,
		};
	});
	return {
		format: SEED_FORMAT,
		createdMs: nowMs,
		users,
		guilds,
		application: {
			...fixture.application,
			id: applicationId,
			permissions: combine(fixture.application.permissions),
		},
		botToken: botTokenFor(applicationId, random),
		verifyKey: Buffer.from(random(32)).toString("hex"),
		clientSecret: base64url(random(24)),
	};
}

function combine(permissions: readonly (keyof typeof PermissionFlagsBits)[]): string {
	return permissions.reduce((all, permission) => all | PermissionFlagsBits[permission], 0n).toString();
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

/** Three parts, like Discord's tokens: the bot's id, a timestamp and a secret. Libraries read only the id; the timestamp is random. */
function botTokenFor(applicationId: string, random: RandomBytes): string {
	return [
		Buffer.from(applicationId).toString("base64url"),
		base64url(random(6)).slice(0, 6),
		base64url(random(30)).slice(0, 38),
	].join(".");
}
