import { expect, test } from "vitest";
import { createFirstResponseBarrier } from "../../../src/commands/generation/first-response-barrier.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

/** Commands whose first responses are sent when the test decides, and the names of those that have passed the barrier. */
function setup() {
	const clock = createManualClock();
	const sendFirstResponse = createFirstResponseBarrier({ clock });
	const continued: string[] = [];
	function command(name: string) {
		const answer = Promise.withResolvers<void>();
		const passed = sendFirstResponse(() => answer.promise);
		void passed.then(
			() => continued.push(name),
			() => continued.push(`${name} failed`),
		);
		return answer;
	}
	return { clock, continued, command };
}

test("the first of two concurrent commands continues when the last has its response, or has failed", async () => {
	for (const lastFails of [false, true]) {
		const { clock, continued, command } = setup();
		const [first, last] = [command("first"), command("last")];
		first.resolve();
		await clock.advance(500);
		expect(continued).toStrictEqual([]);
		if (lastFails) last.reject(new Error("unknown interaction"));
		else last.resolve();
		await clock.advance(0);
		expect(continued.toSorted()).toStrictEqual(["first", lastFails ? "last failed" : "last"]);
	}
});

test("a failed response waits for no other command", async () => {
	const { clock, continued, command } = setup();
	command("slow");
	command("denied").reject(new Error("denied"));
	await clock.advance(0);
	expect(continued).toStrictEqual(["denied failed"]);
});

test("a missing response delays the others by a second", async () => {
	const { clock, continued, command } = setup();
	command("never");
	command("one").resolve();
	await clock.advance(999);
	expect(continued).toStrictEqual([]);
	await clock.advance(1);
	expect(continued).toStrictEqual(["one"]);
});
