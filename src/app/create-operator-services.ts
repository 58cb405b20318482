/** Collects the services of the operator's pages: the health of this process, the doctor's checks, and the studio's keys. */
import { VERSION } from "@atelier/common/user-agent";
import type { Studio } from "@atelier/studio/studio";
import type { Config } from "../config/load-config.ts";
import { listBotGuilds } from "../discord/list-bot-guilds.ts";
import type { OperatorServices } from "../http/dashboard/operator-services.ts";
import { readLastAudit } from "../services/credits/daily-audit.ts";
import type { MediaApi } from "../services/generation/media-api.ts";
import { createServerNames } from "../services/operator/server-names.ts";
import type { OpenTaskStats } from "../services/tasks/open-task-stats.ts";
import type { BotContext } from "./bot-context.ts";
import type { DiscordConnection } from "./discord-connection.ts";
import type { DeliveryFeature } from "./create-delivery.ts";
import { createStudioAdmin } from "./studio-admin.ts";

interface OperatorDeps extends Pick<DiscordConnection, "client"> {
	readonly media: Pick<MediaApi, "health">;
	/** `undefined` if another media service is configured. */
	readonly studio: Studio | undefined;
	/** The operator of the playground, if no operator is configured. */
	readonly playgroundOperatorId: string | undefined;
	readonly openTaskStats: OpenTaskStats;
	readonly deliveryCounts: DeliveryFeature["deliveryCounts"];
	readonly oldestOverdueRunMs: () => number | undefined;
	readonly isGatewayUp: () => boolean;
}

export function createOperatorServices(context: BotContext, deps: OperatorDeps): OperatorServices {
	const { config, store, clock, logger, stopping } = context;
	const { client, media, studio, playgroundOperatorId, openTaskStats } = deps;
	const isPlaygroundOperated = config.OPERATOR_IDS.length === 0 && playgroundOperatorId !== undefined;
	const startedAtMs = clock.nowMs();

	async function readHealth() {
		const mediaHealth = media.health();
		const { byState, overdueTasks } = openTaskStats.count();
		const audit = await readLastAudit(store);
		const status = await studio?.status();
		return {
			startedAtMs,
			version: VERSION,
			isGatewayUp: deps.isGatewayUp(),
			media:
				mediaHealth.state === "up"
					? { isUp: true, sinceMs: null, reason: null }
					: { isUp: false, sinceMs: mediaHealth.sinceMs, reason: mediaHealth.reason },
			studio: status ?? null,
			queue: {
				isShared: config.QUEUE_URL !== undefined,
				openTasks: byState.reduce((sum, { tasks }) => sum + tasks, 0),
				overdueTasks,
				oldestOverdueRunMs: deps.oldestOverdueRunMs() ?? null,
			},
			deliveries: deps.deliveryCounts(),
			audit: audit ?? null,
		};
	}

	let checking: ReturnType<typeof runDoctor> | undefined;
	return {
		ids: new Set(isPlaygroundOperated ? [playgroundOperatorId] : config.OPERATOR_IDS),
		// The playground's data is for trying things out.
		mayWrite: isPlaygroundOperated || config.OPERATOR_WRITES,
		store,
		serverNames: createServerNames({ listServers: () => listBotGuilds(client.rest, stopping), clock, logger }),
		health: readHealth,
		runChecks: () => (checking ??= runDoctor(config).finally(() => (checking = undefined))),
		studioAdmin: studio && createStudioAdmin({ ...context, studio }),
	};
}

/** Runs the doctor's free checks. The environment was checked at the start. */
async function runDoctor(config: Config) {
	const { doctorChecks } = await import("../doctor/doctor-checks.ts");
	const checks = await doctorChecks(config, { env: undefined, submitsTrialTask: false });
	// Concurrent: each may wait for a service that hangs.
	const checked = checks.map(async ({ title, run }) => {
		const results = [];
		for await (const { grade, text, details = [], advice = null } of run())
			results.push({ grade, text, details, advice });
		return { title, results };
	});
	return { checks: await Promise.all(checked) };
}
