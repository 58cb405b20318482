/** The switches of `controls-contract.ts` over HTTP: what cannot be done on Discord itself, for tests and for other bots. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { MovableClock } from "../movable-clock.ts";
import { bodyOf } from "../page/body-of.ts";
import { PageRefusal } from "../page/refusal.ts";
import type { PlantedFaults } from "../rest/planted-faults.ts";
import { routes } from "../rest/routes.ts";
import { REQUEST_BYTES_MAX } from "../world/switches.ts";
import type { World } from "../world/world.ts";
import type { ControlsState } from "./controls-contract.ts";

const DAY_MS = 24 * 60 * 60_000;
const BYTES_MAX = 1024 * 1024 * 1024;
const ROUTES = new Set(routes.map(({ method, path }) => `${method} ${path}`));

const id = z.string().regex(/^\d{1,20}$/);
const ClockBody = z.strictObject({
	advanceMs: z
		.number()
		.int()
		.min(0)
		.max(30 * DAY_MS),
});
const FilesBody = z.strictObject({
	bytesMax: z.number().int().min(1).max(BYTES_MAX),
	announcedBytesMax: z.number().int().min(1).max(BYTES_MAX).optional(),
	requestBytesMax: z.number().int().min(1).max(REQUEST_BYTES_MAX).optional(),
});
const AccessBody = z.strictObject({ channelId: id, access: z.literal(["all", "readOnly", "none"]) });
const MembershipBody = z.strictObject({ isMember: z.boolean() });
const DirectBody = z.strictObject({ userId: id, isOpen: z.boolean() });
const ExpireBody = z.strictObject({ interactionId: id });
const FaultBody = z.strictObject({
	route: z
		.string()
		.refine((route) => ROUTES.has(route), { error: `expected one of:\n${[...ROUTES].join("\n")}` })
		.optional(),
	times: z.number().int().min(1).max(10_000).optional(),
	acts: z.boolean().optional(),
	delayMs: z.number().int().min(0).max(DAY_MS).optional(),
	answer: z
		.discriminatedUnion("kind", [
			z.strictObject({ kind: z.literal("hangUp") }),
			z.strictObject({
				kind: z.literal("error"),
				status: z.number().int().min(400).max(599),
				code: z.number().int().min(0).max(10_000_000),
				message: z.string().max(500).optional(),
			}),
			z.strictObject({
				kind: z.literal("rateLimit"),
				retryAfterS: z.number().min(0).max(3600),
				scope: z.literal(["user", "global", "shared"]).optional(),
			}),
		])
		.optional(),
});

interface ControlsDeps {
	readonly world: World;
	readonly faults: PlantedFaults;
	readonly clock: MovableClock;
}

/** Below the page's own scope, so that its guard and its way of refusing hold here too. */
export function registerControls(scope: FastifyInstance, { world, faults, clock }: ControlsDeps): void {
	const { switches, places, people, messages } = world;

	const state = (): ControlsState => ({
		nowMs: clock.nowMs(),
		files: {
			bytesMax: switches.attachmentBytesMax,
			announcedBytesMax: switches.announcedBytesMax,
			requestBytesMax: switches.requestBytesMax,
		},
		isBotMember: switches.isBotMember,
		access: places.guildChannels().map(({ id: channelId }) => ({ channelId, access: switches.accessTo(channelId) })),
		closedDirectUserIds: [...switches.closedDirectUserIds],
		faults: faults.list(),
	});

	function guildChannel(channelId: string): string {
		if (places.find(channelId)?.kind !== "guild") throw new PageRefusal(404, "There is no such channel in the server.");
		return channelId;
	}

	scope.get("/playground/controls", state);
	scope.delete("/playground/controls", () => {
		switches.reset();
		faults.clear();
		return state();
	});
	scope.post("/playground/controls/clock", (request) => {
		clock.advance(bodyOf(ClockBody, request.body).advanceMs);
		return state();
	});
	scope.put("/playground/controls/files", (request) => {
		const { bytesMax, announcedBytesMax, requestBytesMax } = bodyOf(FilesBody, request.body);
		switches.attachmentBytesMax = bytesMax;
		switches.announcedBytesMax = announcedBytesMax ?? bytesMax;
		switches.requestBytesMax = requestBytesMax ?? REQUEST_BYTES_MAX;
		return state();
	});
	scope.put("/playground/controls/access", (request) => {
		const { channelId, access } = bodyOf(AccessBody, request.body);
		switches.setAccess(guildChannel(channelId), access);
		return state();
	});
	scope.put("/playground/controls/membership", (request) => {
		switches.isBotMember = bodyOf(MembershipBody, request.body).isMember;
		return state();
	});
	scope.put("/playground/controls/direct", (request) => {
		const { userId, isOpen } = bodyOf(DirectBody, request.body);
		if (!people.find(userId)) throw new PageRefusal(404, "There is no such person here.");
		if (isOpen) switches.closedDirectUserIds.delete(userId);
		else switches.closedDirectUserIds.add(userId);
		return state();
	});
	scope.post("/playground/controls/expire", (request) => {
		if (!world.interactions.expire(bodyOf(ExpireBody, request.body).interactionId))
			throw new PageRefusal(404, "There is no such interaction.");
		return state();
	});
	scope.delete("/playground/controls/messages/:channel/:message", (request) => {
		const { channel, message } = request.params as { channel: string; message: string };
		const found = messages.find(channel, message);
		if (!found) throw new PageRefusal(404, "There is no such message.");
		messages.remove(found);
		return state();
	});
	scope.delete("/playground/controls/channels/:channel", (request) => {
		const channelId = guildChannel((request.params as { channel: string }).channel);
		switches.setAccess(channelId, "gone");
		for (const message of messages.newest(Number.POSITIVE_INFINITY, (each) => each.channelId === channelId))
			messages.remove(message);
		return state();
	});
	scope.post("/playground/controls/faults", (request) => {
		faults.plant(bodyOf(FaultBody, request.body));
		return state();
	});
	scope.delete("/playground/controls/faults", () => {
		faults.clear();
		return state();
	});
}
