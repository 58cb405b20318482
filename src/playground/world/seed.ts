import { MODERATOR_PERMISSIONS } from "./permissions.ts";
import type { Snowflakes } from "./snowflake.ts";

/** Bytes nobody can guess; handed in, so that a test can. */
export type RandomBytes = (byteCount: number) => Uint8Array;

export interface SeedMember {
	readonly id: string;
	readonly username: string;
	readonly displayName: string;
	readonly isAdmin: boolean;
	/** The language of their Discord; English where nothing is said. */
	readonly locale?: string;
}

export interface SeedChannel {
	readonly id: string;
	readonly name: string;
	readonly topic: string;
	readonly isAgeRestricted?: boolean;
	/** Whether the bot reads here and may post nothing new, until somebody decides otherwise. */
	readonly isReadOnlyForBot?: boolean;
}

interface SeedRole {
	readonly id: string;
	readonly name: string;
	readonly memberIds: readonly string[];
	/** What it permits beside what everybody may; nothing where nothing is said. */
	readonly permissions?: string;
}

/** Who and what is there from the first start on, kept for as long as the memory is. */
export interface Seed {
	readonly createdMs: number;
	readonly guild: { readonly id: string; readonly name: string };
	readonly adminRoleId: string;
	readonly botRoleId: string;
	/** A playground from before they were made has none. */
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
	const person = (username: string, displayName: string, more: Partial<SeedMember> = {}): SeedMember => ({
		id: snowflakes.next(),
		username,
		displayName,
		isAdmin: false,
		...more,
	});
	const you = person("you", "You", { isAdmin: true });
	const ada = person("ada", "Ada");
	const grace = person("grace", "Grace");
	const lena = person("lena", "Lena", { locale: "de" });
	const yuki = person("yuki", "Yuki", { locale: "ja" });
	return {
		createdMs: nowMs,
		guild: { id: snowflakes.next(), name: "Atelier Playground" },
		adminRoleId: snowflakes.next(),
		botRoleId: snowflakes.next(),
		channels: [
			{ id: snowflakes.next(), name: "general", topic: "Try the commands here" },
			{ id: snowflakes.next(), name: "gallery", topic: "For the ones worth keeping" },
			{ id: snowflakes.next(), name: "after-dark", topic: "For adults only", isAgeRestricted: true },
			{ id: snowflakes.next(), name: "notices", topic: "The bot may not post here", isReadOnlyForBot: true },
		],
		members: [you, ada, grace, lena, yuki],
		roles: [
			{ id: snowflakes.next(), name: "Artists", memberIds: [ada.id, grace.id] },
			{ id: snowflakes.next(), name: "Patrons", memberIds: [ada.id] },
			{
				id: snowflakes.next(),
				name: "Moderators",
				memberIds: [lena.id],
				permissions: MODERATOR_PERMISSIONS.toString(),
			},
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
