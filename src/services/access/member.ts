/** Members of servers, with what a service needs to know about them. */

export interface Member {
	readonly guildId: string;
	readonly userId: string;
}

export interface MemberWithRoles extends Member {
	readonly roleIds: readonly string[];
}

/** A member who acts on tasks and results. Moderators may see and cancel those of others, and delete their results. */
export interface Actor extends Member {
	readonly isModerator: boolean;
}

/** A member who views results, in a channel or in the dashboard. */
export interface Viewer extends MemberWithRoles {
	readonly isAdministrator: boolean;
	/** The channel in which the member uses a command, and which the member can therefore read; `null` in the dashboard. */
	readonly channelId: string | null;
}

/** A viewer who may delete results. */
export interface GalleryViewer extends Viewer, Actor {}
