import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openStore } from "@atelier/store/open-store";
import { fastify } from "fastify";
import { pino } from "pino";
import { expect, test } from "vitest";
import type { Caller } from "../../../src/http/dashboard/api-request.ts";
import { registerApi } from "../../../src/http/dashboard/api-plugin.ts";
import type { DashboardServices } from "../../../src/http/dashboard/dashboard-services.ts";
import { creditHandlers } from "../../../src/http/dashboard/handlers/credits.ts";
import { CreditChangeUncertainError } from "../../../src/services/credits/credit-service.ts";

test("an unknown outcome of a grant is no denial, after which the page would grant with another id", async () => {
	const services = {
		apiKeys: { use: async () => true },
		botUserId: () => "2",
		accounts: { grantMonthlyCredits: async () => {} },
		creditService: { grant: () => Promise.reject(new CreditChangeUncertainError("1", {})) },
	} as unknown as DashboardServices;
	const api = fastify();
	api.addHook("onRequest", async (request) => {
		request.apiKey = { id: "1", name: "Shop", botJoinedAt: "" };
	});
	const logger = pino({ level: "silent" });
	registerApi(api, { services: () => services, logger } as unknown as Parameters<typeof registerApi>[1]);
	const granted = await api.inject({
		method: "POST",
		url: "/servers/1/credits/grant",
		headers: { authorization: "Bearer a-key" },
		payload: { operationId: crypto.randomUUID(), amountCredits: 5, reason: "A contest" },
	});
	expect(granted).toMatchObject({ statusCode: 500 });
	expect(granted.json()).toMatchObject({ error: { code: "outcome_unknown" } });
});

test("the history names the month of monthly credits that were granted or expired, in the reader's language", async () => {
	const clock = createManualClock();
	const ledger = createLedger({ store: await openStore("memory:"), clock });
	const note = { by: "operator", reason: "monthly credits 2026-11" };
	const expiresAtMs = clock.nowMs() + 1;
	await ledger.grant("guild:1", "grant:monthly:2026-11", 5, note, { expiresAtMs });
	await clock.advance(1);
	await ledger.grant("guild:1", "grant:7", 5, { by: "member:7", reason: "A contest" });
	const services = { ledger } as unknown as DashboardServices;
	const reasonsFor = async (locale: string) => {
		const request = { params: { server: "1" }, query: {}, caller: { locale } as unknown as Caller };
		const { items: entries } = await creditHandlers.history(request, services);
		return entries.map(({ reason }) => reason);
	};
	const german = "Monatliche Credits für November 2026";
	expect(await reasonsFor("de")).toStrictEqual(["A contest", german, german]);
	expect((await reasonsFor("ja")).at(-1)).toBe("2026年11月分のクレジット");
});
