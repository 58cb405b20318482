import type { Snowflakes } from "./snowflake.ts";

/** Bytes nobody can guess; handed in, so that a test can. */
export type RandomBytes = (byteCount: number) => Uint8Array;

export interface SeedMember {
	readonly id: string;
	readonly username: string;
	readonly displayName: string;
	readonly isAdmin: boolean;
}

export interface SeedChannel {
	readonly id: string;
	readonly name: string;
	readonly topic: string;
}

interface SeedRole {
	readonly id: string;
	readonly name: string;
	readonly memberIds: readonly string[];
}

/** Who and what is there from the first start on, kept for as long as the memory is. */
export interface Seed {
	readonly createdMs: number;
	readonly guild: { readonly id: string; readonly name: string };
	readonly adminRoleId: string;
	readonly botRoleId: string;
	/** Roles that give no permission; a playground from before they were made has none. */
	readonly roles?: readonly SeedRole[];
	readonly channels: readonly SeedChannel[];
	/** The first one is who a page without a `user` speaks as; also the guild's owner. */
	readonly members: readonly SeedMember[];
	/** The application and its bot user share one id, as they do on Discord for every application since 2016. */
	readonly application: { readonly id: string; readonly name: string; readonly description: string };
	readonly botToken: string;
	readonly verifyKey: string;
}

export function createSeed(snowflakes: Snowflakes, random: RandomBytes, nowMs: number): Seed {
	const applicationId = snowflakes.next();
	const person = (username: string, displayName: string, isAdmin: boolean): SeedMember => ({
		id: snowflakes.next(),
		username,
		displayName,
		isAdmin,
	});
	const ada = person("ada", "Ada", false);
	const grace = person("grace", "Grace", false);
	return {
		createdMs: nowMs,
		guild: { id: snowflakes.next(), name: "Atelier Playground" },
		adminRoleId: snowflakes.next(),
		botRoleId: snowflakes.next(),
		channels: [
			{ id: snowflakes.next(), name: "general", topic: "Try the commands here" },
			{ id: snowflakes.next(), name: "gallery", topic: "For the ones worth keeping" },
		],
		members: [person("you", "You", true), ada, grace],
		roles: [
			{ id: snowflakes.next(), name: "Artists", memberIds: [ada.id, grace.id] },
			{ id: snowflakes.next(), name: "Patrons", memberIds: [ada.id] },
		],
		application: { id: applicationId, name: "Atelier", description: "Makes images, videos and music." },
		botToken: botTokenFor(applicationId, random),
		verifyKey: Buffer.from(random(32)).toString("hex"),
	};
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

/** Three parts, as Discord writes them: the bot's id, a stamp, a secret. Libraries read the id out of the first. */
function botTokenFor(applicationId: string, random: RandomBytes): string {
	return [
		Buffer.from(applicationId).toString("base64url"),
		base64url(random(6)).slice(0, 6),
		base64url(random(30)).slice(0, 38),
	].join(".");
}
