import { describe, expect, test } from "vitest";
import { ApiError } from "../../web/src/api-error.ts";
import { afterFailure, amountOf, hasReason, newDraft } from "../../web/src/credit-change.ts";
import { createMemberNames, type Member } from "../../web/src/member-names.ts";

const member = (id: string, name = `name ${id}`): Member => ({ id, name, avatarUrl: null });

function setup({ fails = false } = {}) {
	const reads: (readonly string[])[] = [];
	const timers: (() => void)[] = [];
	const names = createMemberNames({
		read: (ids) => {
			reads.push(ids);
			return fails ? Promise.reject(new Error("away")) : Promise.resolve(ids.map((id) => member(id)));
		},
		setTimeout: (run) => timers.push(run),
	});
	const flush = async (): Promise<void> => {
		for (const run of timers.splice(0)) run();
		await new Promise((resolve) => setTimeout(resolve, 0));
	};
	return { names, reads, flush };
}

describe("names of members", () => {
	test("are read once, in batches of 100", async () => {
		const { names, reads, flush } = setup();
		for (let id = 1; id <= 150; id++) names.request(String(id));
		names.request("1");
		await flush();
		names.request("1");
		await flush();
		expect(reads.map(({ length }) => length)).toStrictEqual([100, 50]);
		expect(names.known.value.get("150")?.name).toBe("name 150");
	});

	test("are requested again after a failure", async () => {
		const { names, reads, flush } = setup({ fails: true });
		names.request("1");
		await flush();
		names.request("1");
		await flush();
		expect(reads).toStrictEqual([["1"], ["1"]]);
	});
});

describe("a change of credits", () => {
	const draft = { ...newDraft("id-1"), amount: "1,000", reason: "top up" };

	test("has an amount within the limits, and a reason", () => {
		// The limits are 1 and 1,000,000 credits; a reason has at least 3 characters without spaces around it.
		const amounts = ["1,000", "0", "1000001", "", "x"].map((amount) => amountOf({ ...draft, amount }));
		expect(amounts).toStrictEqual([1000, null, null, null, null]);
		expect([" a ", "abc"].map((reason) => hasReason({ ...draft, reason }))).toStrictEqual([false, true]);
	});

	test("keeps its id while the outcome is unknown, and gets another one after a refusal", () => {
		const uncertain = afterFailure(draft, new ApiError(503, "unavailable", ""), "id-2");
		expect(uncertain).toMatchObject({ operationId: "id-1", isUncertain: true });
		const refused = afterFailure(draft, new ApiError(400, "invalid", ""), "id-2");
		expect(refused).toStrictEqual({ ...draft, operationId: "id-2" });
	});
});
