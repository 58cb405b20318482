import { systemClock } from "@atelier/common/clock";
import { startDaily } from "@atelier/common/periodic-work";
import type { Playground } from "@atelier/playground/playground";
import type { Config } from "../config/load-config.ts";
import { DISCORD_API_URL } from "../config/schema.ts";
import { DASHBOARD_PATH, dashboardRedirectUri } from "../http/dashboard/dashboard-paths.ts";
import type { DiscordLogin } from "../http/dashboard/discord-login.ts";
import type { AppContext } from "./app-context.ts";
import type { Bot } from "./create-bot.ts";
import { dashboardOrigin, type DiscordEndpoint } from "./discord-endpoint.ts";

interface DashboardParts {
	readonly playground: Playground | undefined;
	/** Returns `undefined` until the bot runs. */
	readonly bot: () => Bot | undefined;
	readonly requestsPerMinute: number | undefined;
}

/** The log-in of an open dashboard. It starts once the id of the application is known. */
interface DashboardLogin {
	/** Returns the public origin of the dashboard. */
	origin(): string;
	start(applicationId: string, endpoint: DiscordEndpoint): void;
}

/** Opens the dashboard if the bot uses the playground, or if `PUBLIC_URL` and `DISCORD_CLIENT_SECRET` are set. */
export async function openDashboard(
	context: AppContext,
	config: Config,
	{ playground, bot, requestsPerMinute }: DashboardParts,
): Promise<DashboardLogin | undefined> {
	const clientSecret = playground?.clientSecret ?? config.DISCORD_CLIENT_SECRET;
	if (clientSecret === undefined || (!playground && config.PUBLIC_URL === undefined)) return undefined;
	// Loaded only if there is a dashboard.
	const [{ registerDashboard }, { createSessions }, { createDiscordLogin }] = await Promise.all([
		import("../http/dashboard/dashboard-plugin.ts"),
		import("../http/dashboard/sessions.ts"),
		import("../http/dashboard/discord-login.ts"),
	]);
	const { http, store, clock, disposables } = context;
	const logger = context.logger.child({ part: "dashboard" });
	const sessions = createSessions({ store, clock });
	const origin = (): string => dashboardOrigin(context, config);
	let login: DiscordLogin | undefined;
	await registerDashboard(http, {
		services: () => bot()?.dashboard,
		login: () => login,
		sessions,
		origin,
		logger,
		requestsPerMinute,
	});
	disposables.defer(
		startDaily({ name: "remove expired sessions", work: () => sessions.removeExpired(), clock, logger }),
	);
	return {
		origin,
		start(clientId, { apiUrl = DISCORD_API_URL }) {
			logger.info({ url: `${origin()}${DASHBOARD_PATH}/` }, "dashboard open");
			login = createDiscordLogin({
				clientId,
				clientSecret,
				apiUrl,
				authorizeUrl: new URL("/oauth2/authorize", apiUrl).href,
				redirectUri: dashboardRedirectUri(origin()),
				// Discord keeps real time, even if a test sets the app's clock.
				clock: systemClock,
				logger,
			});
		},
	};
}
