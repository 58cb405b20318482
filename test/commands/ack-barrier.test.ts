import { expect, test } from "vitest";
import { createAckBarrier } from "../../src/commands/ack-barrier.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

function setup() {
	const clock = createManualClock();
	const barrier = createAckBarrier({ clock });
	const finished: string[] = [];
	/** A command whose first response is sent when the test decides. */
	const command = (name: string) => {
		const answer = Promise.withResolvers<void>();
		const rest = barrier
			.respond(() => answer.promise)
			.then(
				() => finished.push(name),
				() => finished.push(`${name} failed`),
			);
		return { ...answer, rest };
	};
	return { clock, done: finished, command };
}

test("a single command continues at once", async () => {
	const { clock, done, command } = setup();
	command("one").resolve();
	await clock.advance(0);
	expect(done).toStrictEqual(["one"]);
});

test("the first of many concurrent commands continues after the last has its response", async () => {
	const { clock, done, command } = setup();
	const [first, last] = [command("first"), command("last")];
	first.resolve();
	await clock.advance(500);
	expect(done).toStrictEqual([]);
	last.resolve();
	await clock.advance(0);
	expect(done.toSorted()).toStrictEqual(["first", "last"]);
});

test("a failed response delays no other command", async () => {
	const { clock, done, command } = setup();
	const [first, last] = [command("first"), command("last")];
	first.resolve();
	last.reject(new Error("unknown interaction"));
	await clock.advance(0);
	expect(done.toSorted()).toStrictEqual(["first", "last failed"]);
});

test("a missing response delays the others by a second", async () => {
	const { clock, done, command } = setup();
	command("never");
	command("one").resolve();
	await clock.advance(999);
	expect(done).toStrictEqual([]);
	await clock.advance(1);
	expect(done).toStrictEqual(["one"]);
});
