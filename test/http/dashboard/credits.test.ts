import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openStore } from "@atelier/store/open-store";
import { pino } from "pino";
import { expect, test } from "vitest";
import type { Reader } from "../../../src/http/dashboard/api-request.ts";
import type { DashboardServices } from "../../../src/http/dashboard/dashboard-services.ts";
import { creditHandlers } from "../../../src/http/dashboard/handlers/credits.ts";
import { jobHandlers } from "../../../src/http/dashboard/handlers/jobs.ts";
import { CreditChangeUncertainError } from "../../../src/services/credits/credit-service.ts";
import { deliveredTask } from "../../fakes/stored-tasks.ts";

test("an unknown outcome of a grant is no denial, after which the page would grant with another id", async () => {
	const reader = { userId: "7", actor: "member:7", logger: pino({ level: "silent" }) } as unknown as Reader;
	const services = {
		mayManagersGrant: true,
		accounts: { grantMonthlyCredits: async () => {} },
		creditService: { grant: () => Promise.reject(new CreditChangeUncertainError("1", {})) },
	} as unknown as DashboardServices;
	const body = { operationId: crypto.randomUUID(), amountCredits: 5, reason: "A contest" };
	const granting = creditHandlers.grant({ params: { server: "1" }, body, reader }, services);
	await expect(granting).rejects.toMatchObject({ status: 500, code: "outcome_unknown" });
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
		const request = { params: { server: "1" }, query: {}, reader: { locale } as unknown as Reader };
		const { entries } = await creditHandlers.history(request, services);
		return entries.map(({ reason }) => reason);
	};
	const german = "Monatliche Credits für November 2026";
	expect(await reasonsFor("de")).toStrictEqual(["A contest", german, german]);
	expect((await reasonsFor("ja")).at(-1)).toBe("2026年11月分のクレジット");
});

test("a job of another server is not refunded", async () => {
	const services = { taskStore: { load: async () => ({ task: deliveredTask }) } } as unknown as DashboardServices;
	const request = { params: { server: "1", job: deliveredTask.id }, reader: {} as Reader };
	const refunding = jobHandlers.refundJob(request, services);
	await expect(refunding).rejects.toMatchObject({ messageDescriptor: { key: "job.notFound" } });
});
