import { expect, test } from "vitest";
import type { History } from "../../src/schemas/credits.ts";
import { withoutEndedHolds } from "../../web/src/journal-rows.ts";

const entry = (kind: string, taskId: string | null) => ({ kind, taskId }) as History["items"][number];

test("a charge and a return have one row; the reservation of a running job stays", () => {
	const entries = [
		entry("reserve", "3"),
		entry("void", "2"),
		entry("post", "1"),
		entry("reserve", "2"),
		entry("reserve", "1"),
		entry("grant", null),
	];
	expect(withoutEndedHolds(entries).map(({ kind, taskId }) => [kind, taskId])).toStrictEqual([
		["reserve", "3"],
		["void", "2"],
		["post", "1"],
		["grant", null],
	]);
	const reservations = [entry("reserve", "2"), entry("reserve", "1")];
	expect(withoutEndedHolds(reservations)).toStrictEqual(reservations);
});
