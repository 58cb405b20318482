import { pino } from "pino";
import { expect, test } from "vitest";
import type { Reader } from "../../../src/http/dashboard/api-request.ts";
import type { DashboardServices } from "../../../src/http/dashboard/dashboard-services.ts";
import { creditHandlers } from "../../../src/http/dashboard/handlers/credits.ts";
import { CreditChangeUncertainError } from "../../../src/services/credits/credit-service.ts";

test("an unknown outcome of a grant is no denial, after which the page would grant with another id", async () => {
	const reader = { userId: "7", actor: "member:7", logger: pino({ level: "silent" }) } as unknown as Reader;
	const services = {
		mayManagersGrant: true,
		accounts: { openAccount: async () => {} },
		creditService: { grant: () => Promise.reject(new CreditChangeUncertainError("1", {})) },
	} as unknown as DashboardServices;
	const body = { operationId: crypto.randomUUID(), amountCredits: 5, reason: "A contest" };
	const granting = creditHandlers.grant({ params: { server: "1" }, body, reader }, services);
	await expect(granting).rejects.toMatchObject({ status: 500, code: "outcome_unknown" });
});
