import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openStore } from "@atelier/store/open-store";
import { expect, test } from "vitest";
import type { Caller } from "../../../src/http/dashboard/api-request.ts";
import type { DashboardServices } from "../../../src/http/dashboard/dashboard-services.ts";
import { creditHandlers } from "../../../src/http/dashboard/handlers/credits.ts";

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
