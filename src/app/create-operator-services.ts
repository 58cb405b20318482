/** Collects the services of the operator's pages: the health of this process, the doctor's checks, and the studio's keys. */
import { VERSION } from "@atelier/common/user-agent";
import type { Studio } from "@atelier/studio/studio";
import type { Config } from "../config/load-config.ts";
import { listBotGuilds } from "../discord/list-bot-guilds.ts";
import type { OperatorServices } from "../http/dashboard/operator-services.ts";
import { readLastAudit } from "../services/credits/daily-audit.ts";
import { createServerNames } from "../services/operator/server-names.ts";
import type { BotContext } from "./app-context.ts";
import type { DiscordConnection } from "./discord-connection.ts";
import type { Services } from "./create-services.ts";
import { createStudioAdmin } from "./studio-admin.ts";

interface OperatorDeps {
	readonly discord: Pick<DiscordConnection, "client" | "isUp">;
	readonly services: Pick<Services, "media" | "openTaskStats" | "deliveryCounts">;
	/** `undefined` if another media service is configured. */
	readonly studio: Studio | undefined;
	/** The operator of the playground, if no operator is configured. */
	readonly playgroundOperatorId: string | undefined;
	readonly oldestOverdueRunMs: () => number | undefined;
}

export function createOperatorServices(context: BotContext, deps: OperatorDeps): OperatorServices {
	const { config, store, clock, logger, stopping } = context;
	const { discord, studio, playgroundOperatorId, oldestOverdueRunMs } = deps;
	const { media, openTaskStats, deliveryCounts } = deps.services;
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
			isGatewayUp: discord.isUp(),
			media:
				mediaHealth.state === "up"
					? { isUp: true, sinceMs: null, reason: null }
					: { isUp: false, sinceMs: mediaHealth.sinceMs, reason: mediaHealth.reason },
			studio: status ?? null,
			queue: {
				isShared: config.QUEUE_URL !== undefined,
				openTasks: byState.reduce((sum, { tasks }) => sum + tasks, 0),
				overdueTasks,
				oldestOverdueRunMs: oldestOverdueRunMs() ?? null,
			},
			deliveries: deliveryCounts(),
			audit: audit ?? null,
		};
	}

	let checking: ReturnType<typeof runDoctor> | undefined;
	return {
		ids: new Set(isPlaygroundOperated ? [playgroundOperatorId] : config.OPERATOR_IDS),
		// The playground's data is for trying things out.
		mayWrite: isPlaygroundOperated || config.OPERATOR_WRITES,
		store,
		serverNames: createServerNames({ listServers: () => listBotGuilds(discord.client.rest, stopping), clock, logger }),
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
