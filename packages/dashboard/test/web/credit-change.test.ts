import { describe, expect, test } from "vitest";
import { ApiError } from "../../web/src/api-error.ts";
import { afterFailure, afterSuccess, amountOf, isUnsaved, newDraft } from "../../web/src/credit-change.ts";

describe("a change of credits", () => {
	const draft = { ...newDraft("id-1", "grant"), amount: "1,000", reason: "top up" };

	test("has an amount within the limits", () => {
		// The limits are 1 and 1,000,000 credits.
		const amounts = ["1,000", "0", "1000001", "", "x"].map((amount) => amountOf({ ...draft, amount }));
		expect(amounts).toStrictEqual([1000, null, null, null, null]);
	});

	test("is unsaved once something is typed, or while its outcome is unknown", () => {
		const fresh = newDraft("id-1", "revoke");
		const drafts = [fresh, { ...fresh, amount: "5" }, { ...fresh, reason: "top up" }, { ...fresh, isUncertain: true }];
		expect(drafts.map(isUnsaved)).toStrictEqual([false, true, true, true]);
	});

	test("keeps its id while the outcome is unknown, and gets another one after a refusal", () => {
		const uncertain = afterFailure({ draft, sent: draft }, new ApiError(503, "unavailable", ""), "id-2");
		expect(uncertain).toMatchObject({ operationId: "id-1", isUncertain: true });
		const refused = afterFailure({ draft, sent: draft }, new ApiError(400, "invalid", ""), "id-2");
		expect(refused).toStrictEqual({ ...draft, operationId: "id-2" });
	});

	test("keeps its id if the bot refuses the repeat before it has seen it, or a proxy answers, until a service decides", () => {
		const proxy = new ApiError(429, "invalid_answer", "");
		const uncertain = afterFailure({ draft, sent: draft }, proxy, "id-2");
		expect(uncertain).toStrictEqual({ ...draft, isUncertain: true });
		for (const cause of [proxy, new ApiError(429, "too_many", ""), new ApiError(401, "logged_out", "")])
			expect(afterFailure({ draft: uncertain, sent: uncertain }, cause, "id-2")).toStrictEqual(uncertain);
		const decided = afterFailure({ draft: uncertain, sent: uncertain }, new ApiError(422, "denied", ""), "id-2");
		expect(decided).toStrictEqual({ ...draft, operationId: "id-2" });
	});

	test("that is edited during the request is repeated as it was sent, and is otherwise the next change", () => {
		const edited = { ...draft, kind: "revoke", amount: "7" } as const;
		const attempt = { draft: edited, sent: draft };
		const uncertain = afterFailure(attempt, new ApiError(null, "no_answer", ""), "id-2");
		expect(uncertain).toStrictEqual({ ...draft, isUncertain: true });
		expect(afterFailure(attempt, new ApiError(422, "denied", ""), "id-2").amount).toBe("7");
		expect(afterSuccess(attempt, "id-2")).toStrictEqual({ ...edited, operationId: "id-2" });
		expect(afterSuccess({ draft, sent: draft }, "id-2")).toStrictEqual(newDraft("id-2", "grant"));
	});
});
