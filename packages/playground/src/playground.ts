/** A local stand-in for Discord: REST v10, gateway, and a chat page. Composes the parts and registers their routes. */
import { randomBytes, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { openConnection } from "./gateway/connection.ts";
import { createGateway } from "./gateway/gateway.ts";
import { GATEWAY_PATH, attachGatewayServer } from "./gateway/gateway-server.ts";
import { createMediaStore } from "./media/media-store.ts";
import { openDocumentStore } from "./document-store.ts";
import type { Fixture } from "./fixture.ts";
import { createAdjustableClock } from "./adjustable-clock.ts";
import { createEventStreams } from "./page/event-stream.ts";
import { createHostGuard } from "@atelier/common/host-guard";
import { consentPlugin } from "./oauth2/consent-plugin.ts";
import { pagePlugin } from "./page/page-plugin.ts";
import { createUserView } from "./page/user-view.ts";
import { createFaultList } from "./fault-injection.ts";
import { createRecorder } from "./recording/recorder.ts";
import { createRequestLog } from "./rest/request-log.ts";
import { restPlugin, REST_PREFIX } from "./rest/rest-plugin.ts";
import { createResponseValidator } from "./schema/validator.ts";
import { createInteractionDispatcher } from "./page-actions/dispatch-interaction.ts";
import { createCommandInteractions } from "./page-actions/command-interactions.ts";
import { createComponentInteractions } from "./page-actions/component-interactions.ts";
import type { RandomBytes } from "./simulator/seed-from-fixture.ts";
import { createSimulator } from "./simulator/simulator.ts";

export interface PlaygroundDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	/** The folder for the state of the playground. Without a folder, the state is in memory. */
	readonly dataDir?: string | undefined;
	/** The origin for users and bots, known once listening. */
	readonly origin: () => string;
	readonly random?: RandomBytes | undefined;
	/** The registered redirect URIs of OAuth2, http or https. None by default: the consent page then rejects every login. */
	readonly redirectUris?: (() => readonly string[]) | undefined;
	/** The users and guilds of a new playground; by default those of `DEFAULT_FIXTURE`. */
	readonly fixture?: Fixture | undefined;
	/** A sentence about the bot, which the page always shows. */
	readonly notice?: string | undefined;
	/** The total number of guilds, for load tests: generated guilds are identical and stay in memory. */
	readonly guildCount?: number | undefined;
}

export type Playground = ReturnType<typeof createPlayground>;

/** Throws `FixtureError` if the fixture is invalid, or if dataDir was created from another one. */
export function createPlayground(deps: PlaygroundDeps) {
	const { logger, dataDir, origin, random = randomBytes, redirectUris = () => [], fixture } = deps;
	const clock = createAdjustableClock(deps.clock);
	const faults = createFaultList();
	const stop = new AbortController();
	const store = openDocumentStore(dataDir);
	const temporaryFolder = join(tmpdir(), `atelier-playground-${randomUUID()}`);
	const media = createMediaStore(dataDir === undefined ? temporaryFolder : join(dataDir, "playground-media"));
	const simulator = createSimulator({
		clock,
		logger,
		random,
		store,
		media,
		origin,
		redirectUris,
		fixture,
		stop: stop.signal,
	});
	if (deps.guildCount !== undefined) simulator.installs.setCount(deps.guildCount);
	const requestLog = createRequestLog([simulator.seed.botToken, simulator.seed.clientSecret]);
	const recorder = createRecorder(simulator, origin);
	const gatewayUrl = (): string => `${origin().replace(/^http/, "ws")}${GATEWAY_PATH}`;
	const gateway = createGateway(simulator, faults, gatewayUrl);
	const dispatcher = createInteractionDispatcher(simulator, gateway, stop.signal);
	const commandInteractions = createCommandInteractions(simulator, dispatcher, stop.signal);
	const componentInteractions = createComponentInteractions(simulator, dispatcher);
	const responseValidator = createResponseValidator(logger);
	const guard = createHostGuard(origin);
	const streams = createEventStreams();
	const view = createUserView(simulator, {
		clockAheadMs: clock.aheadMs,
		isBotOnline: () => gateway.isOnline,
		notice: deps.notice,
	});
	let stopServing: (() => Promise<void>) | undefined;
	let closing: Promise<void> | undefined;

	async function close(): Promise<void> {
		stop.abort(new Error("the playground is closing"));
		await stopServing?.();
		store.close();
		await rm(temporaryFolder, { recursive: true, force: true });
	}

	return {
		/** The bot's token: shaped like a real one, created at the first start, stored in dataDir. */
		botToken: simulator.seed.botToken,
		/** The application's secret for OAuth2, created and stored with the token. */
		clientSecret: simulator.seed.clientSecret,
		applicationId: simulator.seed.application.id,
		/** The owner of the application: the first user, whom a page without a parameter shows. */
		ownerId: simulator.members.defaultUser.id,
		/** The users of the fixture, in its order. */
		users: simulator.seed.users,
		/** Responses that violated Discord's schema since the start. Each is a bug of the playground; tests expect none. */
		violations: responseValidator.violations,
		/** The session since the start, for `replay`. */
		recorder,
		/** Registers REST, gateway, page and page API on a Fastify app. */
		register: async (app: FastifyInstance): Promise<void> => {
			const parts = { simulator, commandInteractions, faults, requestLog, recorder, guard, logger };
			const rest = { ...parts, responseValidator, gatewayUrl, stop: stop.signal };
			await app.register(restPlugin(rest, logger), { prefix: REST_PREFIX });
			const page = { ...parts, view, componentInteractions, media, streams, clock, gateway };
			await app.register(pagePlugin(page));
			await app.register(consentPlugin(parts));
			const closeGatewayServer = attachGatewayServer(app.server, guard, (socket, query) =>
				openConnection({ socket, query, gateway, simulator, requestLog, logger }),
			);
			stopServing = async () => {
				streams.close();
				gateway.close();
				await closeGatewayServer();
			};
			// A closing HTTP server waits for its connections, and event streams and gateway sockets would stay open.
			app.addHook("preClose", stopServing);
		},
		close: (): Promise<void> => (closing ??= close()),
	};
}
