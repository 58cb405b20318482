import { Locale } from "discord-api-types/v10";
import type { BoostLevel } from "../admin/admin-contract.ts";
import { MODERATOR_PERMISSIONS } from "./permissions.ts";
import { earlierSnowflake, type Snowflakes } from "./discord-values.ts";

/** A source of random bytes; injected, so that tests are deterministic. */
export type RandomBytes = (byteCount: number) => Uint8Array;

/** A user, independent of guilds. */
export interface SeedUser {
	readonly id: string;
	readonly username: string;
	readonly displayName: string;
	/** The locale of the user's Discord; English by default. */
	readonly locale?: string;
}

export interface SeedChannel {
	readonly id: string;
	readonly name: string;
	readonly topic: string;
	readonly isAgeRestricted?: boolean;
	/** True if the bot can only read here by default. */
	readonly isReadOnlyForBot?: boolean;
}

interface SeedRole {
	readonly id: string;
	readonly name: string;
	readonly memberIds: readonly string[];
	/** Permissions beyond those of @everyone; none by default. */
	readonly permissions?: string;
}

export interface SeedGuild {
	readonly id: string;
	readonly name: string;
	readonly createdMs: number;
	/** English by default. */
	readonly locale?: string;
	readonly boostLevel?: BoostLevel;
	readonly adminRoleId: string;
	readonly botRoleId: string;
	readonly roles: readonly SeedRole[];
	readonly channels: readonly SeedChannel[];
	/** The owner first, who has the admin role. */
	readonly memberIds: readonly string[];
}

/** The initial users, guilds and application; stored with the state. */
export interface Seed {
	readonly createdMs: number;
	/** The first one is the user of a page without a `user` parameter. */
	readonly users: readonly SeedUser[];
	/** The first one is the guild of a page without a `guild` parameter. */
	readonly guilds: readonly SeedGuild[];
	/** The application and its bot user share one id, as at Discord since 2016. */
	readonly application: { readonly id: string; readonly name: string; readonly description: string };
	readonly botToken: string;
	readonly clientSecret: string;
	readonly verifyKey: string;
}

export function createSeed(snowflakes: Snowflakes, random: RandomBytes, nowMs: number): Seed {
	const applicationId = snowflakes.next();
	const user = (username: string, displayName: string, locale?: string): SeedUser => ({
		id: snowflakes.next(),
		username,
		displayName,
		...(locale !== undefined && { locale }),
	});
	const channel = (name: string, topic: string, more: Partial<SeedChannel> = {}): SeedChannel => ({
		id: snowflakes.next(),
		name,
		topic,
		...more,
	});
	const role = (name: string, members: readonly SeedUser[], permissions?: bigint): SeedRole => ({
		id: snowflakes.next(),
		name,
		memberIds: members.map(({ id }) => id),
		...(permissions !== undefined && { permissions: permissions.toString() }),
	});

	const robin = user("robin", "Robin");
	const ada = user("ada", "Ada");
	const grace = user("grace", "Grace");
	const lena = user("lena", "Lena", "de");
	const yuki = user("yuki", "Yuki", "ja");
	const emil = user("emil", "Emil", "de");
	const clara = user("clara", "Clara", "fr");
	const first: SeedGuild = {
		id: snowflakes.next(),
		name: "Atelier Playground",
		createdMs: nowMs,
		adminRoleId: snowflakes.next(),
		botRoleId: snowflakes.next(),
		channels: [
			channel("general", "Try the commands here"),
			channel("gallery", "For the ones worth keeping"),
			channel("after-dark", "For adults only", { isAgeRestricted: true }),
			channel("notices", "The bot may not post here", { isReadOnlyForBot: true }),
		],
		memberIds: [robin, ada, grace, lena, yuki].map(({ id }) => id),
		roles: [role("Artists", [ada, grace]), role("Patrons", [ada]), role("Moderators", [lena], MODERATOR_PERMISSIONS)],
	};
	/** Smaller, boosted, and German, with another owner. */
	const second: SeedGuild = {
		// A millisecond apart, so that the two guilds are on different shards if there are several.
		id: earlierSnowflake(first.id, 1),
		name: "Werkstatt Nord",
		createdMs: nowMs,
		locale: Locale.German,
		boostLevel: 2,
		adminRoleId: snowflakes.next(),
		botRoleId: snowflakes.next(),
		channels: [
			channel("werkbank", "Hier entsteht etwas"),
			channel("nachtschicht", "Nur für Erwachsene", { isAgeRestricted: true }),
			channel("aushang", "Hier darf der Bot nicht schreiben", { isReadOnlyForBot: true }),
		],
		memberIds: [lena, robin, emil, clara].map(({ id }) => id),
		roles: [role("Meister", [emil], MODERATOR_PERMISSIONS), role("Lehrlinge", [robin, clara])],
	};
	return {
		createdMs: nowMs,
		users: [robin, ada, grace, lena, yuki, emil, clara],
		guilds: [first, second],
		application: { id: applicationId, name: "Atelier", description: "Makes images, videos and music." },
		botToken: botTokenFor(applicationId, random),
		verifyKey: Buffer.from(random(32)).toString("hex"),
		clientSecret: base64url(random(24)),
	};
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

/** Three parts, like Discord's tokens: the bot's id, a timestamp, a secret. Libraries read the id. */
function botTokenFor(applicationId: string, random: RandomBytes): string {
	return [
		Buffer.from(applicationId).toString("base64url"),
		base64url(random(6)).slice(0, 6),
		base64url(random(30)).slice(0, 38),
	].join(".");
}
