import { expect, test } from "vitest";
import { createInteractionClaim } from "../../../src/discord/cluster/interaction-claim.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

type ClaimShared = () => Promise<boolean>;

test.each<[string, ClaimShared | undefined, readonly string[], readonly boolean[]]>([
	["is handled once if it is received twice", undefined, ["1", "1", "2"], [true, false, true]],
	["is left to the process that claimed it", async () => false, ["1"], [false]],
	// Discord accepts one response only.
	["is handled while the coordinator is unreachable", () => Promise.reject(new Error("away")), ["1"], [true]],
	["is delayed only briefly by a silent coordinator", () => new Promise(() => {}), ["1"], [true]],
])("an interaction %s", async (_what, claimShared, ids, expected) => {
	const clock = createManualClock();
	const claim = createInteractionClaim({ clock, claimShared });
	const claims = Promise.all(ids.map((id) => claim(id)));
	await clock.advance(500);
	expect(await claims).toStrictEqual(expected);
});
