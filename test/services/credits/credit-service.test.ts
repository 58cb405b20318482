import { expect, test } from "vitest";
import { CreditChangeUncertainError, createCreditService } from "../../../src/services/credits/credit-service.ts";
import { createLedger } from "@atelier/ledger/create-ledger";
import { CorruptDocumentError, StoreRejectedError } from "@atelier/store/store-errors";
import { openStore } from "@atelier/store/open-store";
import { UserError } from "../../../src/services/user-error.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const change = { guildId: "1", operationId: "9", amountCredits: 100, by: "member:7", reason: "a gift" };

/** The credit service on a ledger that executes operations, and loses this number of responses. */
async function setup({ lostResponses = 0, mayManagersGrant = true } = {}) {
	const ledger = createLedger({ store: await openStore("memory:"), clock: createManualClock() });
	const network = { lostResponses };
	const loseResponse = async <T>(response: Promise<T>): Promise<T> => {
		const balance = await response;
		if (network.lostResponses-- > 0) throw new Error("connection lost");
		return balance;
	};
	const lossy = {
		...ledger,
		grant: (...args: Parameters<typeof ledger.grant>) => loseResponse(ledger.grant(...args)),
		adjust: (...args: Parameters<typeof ledger.adjust>) => loseResponse(ledger.adjust(...args)),
	};
	return { ledger, network, service: createCreditService({ ledger: lossy, mayManagersGrant }) };
}

test("a repeated command grants credits once", async () => {
	const { service, ledger } = await setup();
	await Promise.all([service.grant(change), service.grant(change)]);
	expect(await service.grant(change)).toMatchObject({ availableCredits: 100 });
	expect(await ledger.history("guild:1", { limit: 10 })).toMatchObject([{ by: "member:7", reason: "a gift" }]);
});

test("a change whose response is lost is repeated, and moves credits once", async () => {
	const { service, network } = await setup({ lostResponses: 1 });
	expect(await service.grant(change)).toMatchObject({ availableCredits: 100 });
	network.lostResponses = 1;
	expect(await service.revoke({ ...change, amountCredits: 30 })).toMatchObject({ availableCredits: 70 });
});

test.each(["grant", "revoke"] as const)("a %s whose repeat has no response either is uncertain", async (kind) => {
	const { service, network } = await setup();
	await service.grant({ ...change, operationId: "before" });
	network.lostResponses = 2;
	await expect(service[kind](change)).rejects.toThrow(CreditChangeUncertainError);
});

test.each([
	["an unreadable account", new CorruptDocumentError("account:guild:1", new Error("garbage"))],
	["a store that rejects writes", new StoreRejectedError("OOM command not allowed")],
])("%s is a certain failure: nothing has moved", async (_what, error) => {
	const { ledger } = await setup();
	const failing = { ...ledger, grant: () => Promise.reject(error) };
	const service = createCreditService({ ledger: failing, mayManagersGrant: true });
	await expect(service.grant(change)).rejects.toBe(error);
});

test.each([
	["the same id with another amount", { amountCredits: 5 }, "credits.changeDiffers"],
	["more credits than an account can contain", { operationId: "10", amountCredits: 2 ** 53 }, "credits.amountTooLarge"],
])("%s is denied", async (_what, changed, key) => {
	const { service } = await setup();
	await service.grant(change);
	await expect(service.grant({ ...change, ...changed })).rejects.toThrow(key);
});

test("a reason is stored as one line of visible characters, and denied without enough of them", async () => {
	const { service, ledger } = await setup();
	await service.grant({ ...change, reason: " for\nthe\u200B contest " });
	for (const kind of ["grant", "revoke"] as const) {
		const unexplained = service[kind]({ ...change, operationId: kind, reason: "\u200B\u200B\u200Bok" });
		await expect(unexplained).rejects.toThrow("credits.reasonShort");
	}
	expect(await ledger.history("guild:1", { limit: 10 })).toMatchObject([{ reason: "for the contest" }]);
});

test("a revoke takes no held credits, and reports the available ones", async () => {
	const { service, ledger } = await setup();
	await service.grant(change);
	await ledger.reserve("guild:1", "t1", 40, change);
	const params = { amountCredits: 61, availableCredits: 60, heldCredits: 40 };
	await expect(service.revoke({ ...change, amountCredits: 61 })).rejects.toStrictEqual(
		new UserError({ key: "credits.revokeTooMany", params }),
	);
	const revoked = await service.revoke({ ...change, amountCredits: 60 });
	expect(revoked).toMatchObject({ availableCredits: 0, heldCredits: 40 });
});

test("if only the operator grants credits, managers and API keys do not, and still revoke", async () => {
	const { service } = await setup({ mayManagersGrant: false });
	for (const by of ["member:7", "key:Shop"])
		await expect(service.grant({ ...change, by })).rejects.toStrictEqual(new UserError({ key: "permission.grant" }));
	await service.grant({ ...change, by: "operator" });
	expect(await service.revoke({ ...change, amountCredits: 30 })).toMatchObject({ availableCredits: 70 });
});
