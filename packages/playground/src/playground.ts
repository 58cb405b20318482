/** A local stand-in for Discord: REST v10, gateway, and a chat page. Composes the parts and registers their routes. */
import { randomBytes, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { WebSocket } from "ws";
import type { Clock } from "@atelier/common/clock";
import { openConnection } from "./gateway/connection.ts";
import { createGateway } from "./gateway/gateway.ts";
import { GATEWAY_PATH, openSocketDoor } from "./gateway/gateway-plugin.ts";
import { createMediaStore } from "./media/media-store.ts";
import { openMemory } from "./document-store.ts";
import { createMovableClock } from "./adjustable-clock.ts";
import { createEventStreams } from "./page/event-stream.ts";
import { createHostGuard } from "@atelier/common/host-guard";
import { pageDoor } from "./page/page-plugin.ts";
import { createView } from "./page/view.ts";
import { createInjectedFaults } from "./rest/fault-injection.ts";
import { createRequestLog } from "./rest/request-log.ts";
import { restDoor, REST_PREFIX } from "./rest/rest-plugin.ts";
import { watchSilentConnections } from "./idle-connections.ts";
import { createAnswerCheck, type Violation } from "./schema/validator.ts";
import { createBring, type Deliver } from "./simulator/dispatch-interaction.ts";
import { createInvoke } from "./simulator/command-interactions.ts";
import { createPress } from "./simulator/component-interactions.ts";
import type { RandomBytes } from "./simulator/seed.ts";
import { createSimulator } from "./simulator/simulator.ts";

export interface PlaygroundDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	/** The folder for its state; in memory without one. */
	readonly dataDir?: string | undefined;
	/** The origin for users and bots, known once listening. */
	readonly origin: () => string;
	readonly random?: RandomBytes | undefined;
	/** The total number of guilds, for load tests: those without a name of their own are alike, and kept in memory. */
	readonly serverCount?: number | undefined;
}

export interface Playground {
	/** The bot's token: shaped like a real one, created at the first start, stored in dataDir. */
	readonly botToken: string;
	readonly applicationId: string;
	/** Responses that violated Discord's schema since the start. Each is a bug of the playground; tests expect none. */
	readonly violations: readonly Violation[];
	/** Registers REST, gateway, page and page API on a Fastify app. */
	readonly register: (app: FastifyInstance) => Promise<void>;
	readonly close: () => Promise<void>;
}

export function createPlayground(deps: PlaygroundDeps): Playground {
	const { logger, dataDir, origin, random = randomBytes } = deps;
	const clock = createMovableClock(deps.clock);
	const faults = createInjectedFaults();
	const requests = createRequestLog();
	const stop = new AbortController();
	const memory = openMemory(dataDir);
	const temporaryFolder = join(tmpdir(), `atelier-playground-${randomUUID()}`);
	const media = createMediaStore(dataDir === undefined ? temporaryFolder : join(dataDir, "playground-media"));
	const simulator = createSimulator({ clock, logger, random, memory, media, origin, stop: stop.signal });
	if (deps.serverCount !== undefined) simulator.installs.setCount(deps.serverCount);
	const { botToken } = simulator.seed;

	const gatewayUrl = (): string => `${origin().replace(/^http/, "ws")}${GATEWAY_PATH}`;
	const newSessionId = (): string => Buffer.from(random(16)).toString("hex");
	const gateway = createGateway({ simulator, newSessionId, gatewayUrl });
	const deliver: Deliver = (interaction, guildId) => gateway.interaction(interaction, guildId);
	const bring = createBring({ simulator, deliver, stop: stop.signal });
	const invoke = createInvoke({ simulator, deliver, bring, stop: stop.signal });
	const press = createPress({ simulator, bring });
	const answers = createAnswerCheck(logger);
	const guard = createHostGuard(origin);
	const streams = createEventStreams(clock);
	const view = createView(simulator, () => gateway.isOnline);
	let hangUp: (() => Promise<void>) | undefined;
	let closing: Promise<void> | undefined;

	async function close(): Promise<void> {
		stop.abort(new Error("the playground is closing"));
		await hangUp?.();
		memory.close();
		await rm(temporaryFolder, { recursive: true, force: true });
	}
	const closeOnce = (): Promise<void> => (closing ??= close());

	return {
		botToken,
		applicationId: simulator.seed.application.id,
		violations: answers.violations,
		async register(app) {
			const room = { simulator, invoke, answers, faults, requests, gatewayUrl };
			await app.register(restDoor({ room, botToken, logger }), { prefix: REST_PREFIX });
			const controls = { simulator, faults, clock, gateway, requests };
			await app.register(pageDoor({ simulator, view, invoke, press, media, guard, streams, controls, logger }));
			const open = (socket: WebSocket, query: URLSearchParams): void =>
				openConnection({ socket, query, gateway, botToken, clock, logger });
			const door = openSocketDoor({ server: app.server, guard, open });
			const endSilentConnections = watchSilentConnections(app.server);
			hangUp = async () => {
				streams.close();
				gateway.close();
				await door.close();
				endSilentConnections();
			};
			// A closing server waits for its connections, and these would stay open.
			app.addHook("preClose", hangUp);
		},
		close: closeOnce,
	};
}
