import type { FastifyRequest } from "fastify";
import { pino } from "pino";
import { expect, test } from "vitest";
import { authorize } from "../../../src/http/dashboard/authorize.ts";
import type { DashboardServices } from "../../../src/http/dashboard/dashboard-services.ts";

const session = {
	expiresAtMs: 1,
	csrfToken: "token",
	user: { id: "7", name: "Mia", avatarUrl: null },
	locale: "en-US",
	servers: [{ id: "1", name: "Art", iconUrl: null, access: "member" as const }],
};

test("Discord is not asked about a server in which the user was not at the log-in", async () => {
	const asked: string[] = [];
	const directory = {
		readAccess: async (guildId: string) => void asked.push(guildId),
	};
	const deps = { directory, operator: { ids: new Set() }, logger: pino({ level: "silent" }) };
	for (const [server, key] of [
		["1", "web.notAMember"],
		["2", "web.notAtLogin"],
	] as const) {
		const request = { params: { server }, headers: {} } as unknown as FastifyRequest;
		const services = deps as unknown as DashboardServices & typeof deps;
		const reading = authorize(request, { method: "GET", access: "member" }, session, services);
		await expect(reading).rejects.toMatchObject({ code: "forbidden", messageDescriptor: { key } });
	}
	expect(asked).toStrictEqual(["1"]);
});
