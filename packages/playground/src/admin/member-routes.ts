/** The users, their permissions, and the guild. */
import { Locale } from "discord-api-types/v10";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { PageApiError, parseBody } from "../page/page-error.ts";
import { snowflake } from "./shapes.ts";
import type { AdminContext } from "./admin-context.ts";

const locale = z.literal(Object.values(Locale));
const DirectBody = z.strictObject({ userId: snowflake, isOpen: z.boolean() });
/** `null` resets a field; absent fields stay unchanged. */
const MemberBody = z.strictObject({
	userId: snowflake,
	locale: locale.nullable().optional(),
	permissions: z
		.string()
		.regex(/^\d{1,20}$/)
		.transform((digits) => BigInt(digits))
		.nullable()
		.optional(),
	roleIds: z.array(snowflake).max(250).nullable().optional(),
});
const GuildBody = z.strictObject({ locale: locale.optional(), boostLevel: z.literal([0, 1, 2, 3]).optional() });

export function registerMemberRoutes(scope: FastifyInstance, { simulator, state, guildOf }: AdminContext): void {
	const { overrides, members, channels, events } = simulator;

	function checkPerson(userId: string): void {
		if (!members.find(userId)) throw new PageApiError(404, "Unknown user.");
	}

	scope.put("/playground/admin/direct", (request) => {
		const { userId, isOpen } = parseBody(DirectBody, request.body);
		checkPerson(userId);
		if (isOpen) overrides.closedDirectUserIds.delete(userId);
		else overrides.closedDirectUserIds.add(userId);
		return state(request);
	});
	scope.put("/playground/admin/members", (request) => {
		const { userId, ...asked } = parseBody(MemberBody, request.body);
		const guild = guildOf(request);
		if (!guild.memberIds.includes(userId)) throw new PageApiError(404, "Unknown user.");
		const roles = new Set(channels.roles(guild).map(({ id }) => id));
		const unknown = asked.roleIds?.find((id) => !roles.has(id) || id === guild.id);
		if (unknown !== undefined) throw new PageApiError(404, "Unknown role.");
		// The locale belongs to the user in every guild.
		if (asked.locale === null) overrides.locales.delete(userId);
		else if (asked.locale !== undefined) overrides.locales.set(userId, asked.locale);
		const before = overrides.memberChange(guild, userId) ?? {};
		overrides.setMember(guild, userId, {
			permissions: otherwise(asked.permissions, before.permissions),
			roleIds: otherwise(asked.roleIds, before.roleIds),
		});
		events.emit({ type: "members" });
		return state(request);
	});
	scope.put("/playground/admin/guild", (request) => {
		const { locale: spoken, boostLevel } = parseBody(GuildBody, request.body);
		const guild = guildOf(request);
		if (spoken !== undefined) overrides.setLocaleOf(guild, spoken);
		if (boostLevel !== undefined) overrides.setBoostLevel(guild, boostLevel);
		events.emit({ type: "guild", guild });
		return state(request);
	});
}

/** `null` resets, `undefined` keeps the current value. */
function otherwise<Value>(given: Value | null | undefined, kept: Value | undefined): Value | undefined {
	return given === undefined ? kept : (given ?? undefined);
}
