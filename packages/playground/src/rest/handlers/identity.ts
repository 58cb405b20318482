/** The gateway, users and the application. */
import { applicationFlags } from "../../simulator/privileged-intents.ts";
import { apiErrors } from "../../simulator/api-error.ts";
import type { RestRequest } from "../route.ts";

/** Discord's recommended guilds per shard; its limit is higher. */
const GUILDS_PER_SHARD = 1_000;
const SESSIONS_PER_DAY = 1_000;
const DAY_MS = 24 * 60 * 60_000;
/** High, because a client with several shards would otherwise wait five seconds between two of them. */
const CONCURRENT_IDENTIFIES_MAX = 16;

export function gateway({ gatewayUrl }: RestRequest): object {
	return { url: gatewayUrl() };
}

export function gatewayBot({ simulator, gatewayUrl }: RestRequest): object {
	const limit = {
		total: SESSIONS_PER_DAY,
		remaining: SESSIONS_PER_DAY,
		reset_after: DAY_MS,
		max_concurrency: CONCURRENT_IDENTIFIES_MAX,
	};
	const shards = Math.max(Math.ceil(simulator.installs.joined().length / GUILDS_PER_SHARD), 1);
	return { url: gatewayUrl(), shards, session_start_limit: limit };
}

/** The user of an access token, else the bot. */
export function me({ simulator: { members }, oauth2Authorization }: RestRequest): object {
	const authorizingUser = oauth2Authorization && members.find(oauth2Authorization.userId);
	if (authorizingUser)
		return {
			...members.toUser(authorizingUser),
			mfa_enabled: false,
			locale: members.locale(authorizingUser),
			premium_type: 0,
		};
	const account = { mfa_enabled: true, locale: "en-US", premium_type: 0, email: null, verified: true };
	return { ...members.bot, ...account };
}

export function user({ simulator, param }: RestRequest): object {
	const found = simulator.members.userOf(param("user"));
	if (!found) throw apiErrors.unknownUser();
	return found;
}

/** The application has no emoji of its own. */
export function listEmojis(): object {
	return { items: [] };
}

/** The application as users see it. */
export function publicApplication({ simulator: { seed, members } }: RestRequest): object {
	const { id, name, description, privilegedIntents } = seed.application;
	const flags = applicationFlags(privilegedIntents);
	return {
		id,
		name,
		icon: null,
		description,
		type: null,
		flags,
		flags_new: String(flags),
		bot: members.bot,
		bot_public: false,
		bot_require_code_grant: false,
		integration_types_config: { "0": {} },
		verify_key: seed.verifyKey,
	};
}

export function application(request: RestRequest): object {
	const { members, installs, oauth2 } = request.simulator;
	return {
		...publicApplication(request),
		redirect_uris: oauth2.redirectUris(),
		interactions_endpoint_url: null,
		role_connections_verification_url: null,
		owner: members.toUser(members.defaultUser),
		approximate_guild_count: installs.joined().length,
		approximate_user_install_count: 0,
		approximate_user_authorization_count: 0,
		explicit_content_filter: 0,
		team: null,
		eligible_oauth2_scopes: [],
	};
}
