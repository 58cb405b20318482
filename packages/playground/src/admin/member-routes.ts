/** The users, their permissions, and the guild. */
import { Locale } from "discord-api-types/v10";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { bodyOf } from "../http/parse-body.ts";
import { PageRefusalError } from "../http/refusal.ts";
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
const ServerBody = z.strictObject({ locale: locale.optional(), boostLevel: z.literal([0, 1, 2, 3]).optional() });

export function registerMemberRoutes(scope: FastifyInstance, { simulator, state, serverOf }: AdminContext): void {
	const { switches, people, places, events } = simulator;

	function checkPerson(userId: string): void {
		if (!people.find(userId)) throw new PageRefusalError(404, "Unknown user.");
	}

	scope.put("/playground/controls/direct", (request) => {
		const { userId, isOpen } = bodyOf(DirectBody, request.body);
		checkPerson(userId);
		if (isOpen) switches.closedDirectUserIds.delete(userId);
		else switches.closedDirectUserIds.add(userId);
		return state(request);
	});
	scope.put("/playground/controls/members", (request) => {
		const { userId, ...asked } = bodyOf(MemberBody, request.body);
		const server = serverOf(request);
		if (!server.memberIds.includes(userId)) throw new PageRefusalError(404, "Unknown user.");
		const roles = new Set(places.roles(server).map(({ id }) => id));
		const unknown = asked.roleIds?.find((id) => !roles.has(id) || id === server.id);
		if (unknown !== undefined) throw new PageRefusalError(404, "Unknown role.");
		// The locale belongs to the user in every guild.
		if (asked.locale === null) switches.locales.delete(userId);
		else if (asked.locale !== undefined) switches.locales.set(userId, asked.locale);
		const before = switches.memberChange(server, userId) ?? {};
		switches.setMember(server, userId, {
			permissions: otherwise(asked.permissions, before.permissions),
			roleIds: otherwise(asked.roleIds, before.roleIds),
		});
		events.emit({ type: "people" });
		return state(request);
	});
	scope.put("/playground/controls/server", (request) => {
		const { locale: spoken, boostLevel } = bodyOf(ServerBody, request.body);
		const server = serverOf(request);
		if (spoken !== undefined) switches.setLocaleOf(server, spoken);
		if (boostLevel !== undefined) switches.boost(server, boostLevel);
		events.emit({ type: "guild", server });
		return state(request);
	});
}

/** `null` resets, `undefined` keeps the current value. */
function otherwise<Value>(given: Value | null | undefined, kept: Value | undefined): Value | undefined {
	return given === undefined ? kept : (given ?? undefined);
}
