/** A validated request of the dashboard's API, its caller, and the handlers by endpoint. */
import type { FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { EndpointName, RequestOf, ResponseOf } from "@atelier/dashboard/contract";
import type { SettingsAuthor } from "../../services/access/change-author.ts";
import type { MemberPermissions } from "../../services/access/guild-directory.ts";
import type { GalleryViewer } from "../../services/access/member.ts";
import type { DashboardServices } from "./dashboard-services.ts";
import type { DeepReadonly } from "@atelier/common/deep-readonly";

/** A logged-in user with their present permissions in the server of the request, or an API key of that server. */
export interface Caller {
	/** A key acts for the bot: it owns no job, and sees no private result. */
	readonly userId: string;
	/** The author of a change, as settings and journal name them: `member:ID` or `key:NAME`. */
	readonly by: string;
	/** `undefined` for a logged-in user. */
	readonly apiKeyId: string | undefined;
	/** Discord's code of their language. */
	readonly locale: string;
	readonly roleIds: readonly string[];
	/** All `false` in requests without a server. */
	readonly permissions: MemberPermissions;
	readonly logger: Logger;
}

type ApiRequest<Name extends EndpointName> = RequestOf<Name> & { readonly caller: Caller };

/** The endpoints without a handler in the table: those of the session. */
type OtherEndpoint = "session" | "logOut";
export type HandledEndpoint = Exclude<EndpointName, OtherEndpoint>;

/** Fields that the schema of the response does not have are removed before it is sent. */
type Handler<Name extends EndpointName> = (
	request: ApiRequest<Name>,
	services: DashboardServices,
) => Promise<DeepReadonly<ResponseOf<Name>>>;

export type Handlers = { readonly [Name in HandledEndpoint]: Handler<Name> };

/** Returns the caller as the author of a change of settings. */
export function settingsAuthorOf({ by, apiKeyId }: Pick<Caller, "by" | "apiKeyId">): SettingsAuthor {
	return { by, via: apiKeyId === undefined ? "dashboard" : "apiKey" };
}

/** Returns the caller as a viewer of results. A page is no channel, so results of age-restricted channels are not shown on it. */
export function galleryViewerOf({ userId, roleIds, permissions }: Caller, guildId: string): GalleryViewer {
	const { isAdministrator, isModerator } = permissions;
	return { guildId, userId, roleIds, isAdministrator, isModerator, channelId: null };
}

/** Returns the id of the server in the path; `undefined` without one. */
export function serverOf({ params }: Pick<FastifyRequest, "params">): string | undefined {
	const { server } = params as { readonly server?: string };
	return server !== undefined && /^\d{1,20}$/.test(server) ? server : undefined;
}
