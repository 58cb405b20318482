import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Order } from "../generation/order.ts";
import { UserError } from "../user-error.ts";
import type { GuildSettingsStore } from "./guild-settings.ts";
import type { Moderation } from "./moderation.ts";
import { refusalOf } from "./policy.ts";

/** Where somebody asks, as the interaction tells it. */
export interface Place {
	readonly channelId: string;
	/** The channel that a thread belongs to. */
	readonly parentId: string | null;
	/** `undefined` where the interaction does not tell, as of threads. */
	readonly isAgeRestricted: boolean | undefined;
}

/** What Discord says of a channel. False where it does not say. */
export interface Channels {
	isAgeRestricted(channelId: string): Promise<boolean>;
	/** Whether it belongs to this server, as far as the bot sees. */
	isOf(guildId: string, channelId: string): Promise<boolean>;
}

interface Request {
	readonly guildId: string;
	readonly userId: string;
	readonly roleIds: readonly string[];
	readonly order: Order;
	readonly place: Place;
}

/** Every generation passes here, whatever asked for it: a command, a button, a menu. Throws a `UserError` as its no. */
export interface Admission {
	require(request: Request, logger: Logger): Promise<void>;
}

interface AdmissionDeps {
	readonly settings: Pick<GuildSettingsStore, "read">;
	readonly channels: Pick<Channels, "isAgeRestricted">;
	/** Asked last, where the operator has one: everything else is decided without a call. */
	readonly moderation: Moderation | undefined;
	/** Whether the operator has yet to look at what a restored store does not know. */
	readonly isPaused: () => boolean;
	/** Denies what cannot be paid. */
	readonly credits: Admission;
	readonly clock: Clock;
}

export function createAdmission({
	settings,
	channels,
	moderation,
	isPaused,
	credits,
	clock,
}: AdmissionDeps): Admission {
	/** Asked of Discord only where it decides something: of a model for age-restricted channels in a thread. */
	async function isAgeRestricted({ channelId, parentId, isAgeRestricted: told }: Place, order: Order) {
		if (order.isAgeRestricted !== true) return false;
		return told ?? (await channels.isAgeRestricted(parentId ?? channelId));
	}

	return {
		async require(request, logger) {
			const { guildId, userId, roleIds, order, place } = request;
			if (isPaused()) throw new UserError({ key: "pausedByOperator" });
			const { channelId, parentId } = place;
			const where = {
				channelIds: parentId === null ? [channelId] : [channelId, parentId],
				isAgeRestricted: await isAgeRestricted(place, order),
			};
			const decided = await settings.read(guildId);
			const refusal = refusalOf(decided, order, { userId, roleIds }, where, clock.nowMs());
			if (refusal) throw new UserError(refusal);
			await credits.require(request, logger);
			const objection = await moderation?.judge({ guildId, userId, order }, logger);
			if (objection) throw new UserError(objection);
		},
	};
}
