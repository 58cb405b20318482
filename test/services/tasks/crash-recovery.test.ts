/** Tests crashes during a submit; the simulation of tasks crashes at any write. */
import { describe, expect, test } from "vitest";
import { MediaUnavailableError } from "../../../src/services/generation/media-api.ts";
import { CHARGED, MINUTE_MS, SECOND_MS, setup } from "./task-setup.ts";

describe("the time that the bot is down does not count against the service", () => {
	test("a submission that the service did not receive before a crash is sent by the next process", async () => {
		const { bootCrashing, boot, media, advance, replyAndBalance } = setup();
		const { store, dying } = bootCrashing();
		media.submit = () => {
			store.arm(0);
			return Promise.reject(new MediaUnavailableError("connection closed"));
		};
		await dying.submit();
		await advance(SECOND_MS);
		await dying.runner.stop();
		expect(await boot().stateOf()).toBe("submitting");
		await advance(5 * MINUTE_MS);
		Reflect.deleteProperty(media, "submit");
		media.finding = { kind: "absent" };
		await boot().runner.sweepOpenTasks();
		await advance(10 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});

	test("a service that starts together with the bot gets the full retry time", async () => {
		const { process, restart, media, advance, replyAndBalance } = setup();
		media.failuresBefore.push(new MediaUnavailableError("ECONNREFUSED"));
		await process.submit();
		await advance(250);
		media.failuresBefore.push(new MediaUnavailableError("ECONNREFUSED"));
		await restart({ downMs: 5 * MINUTE_MS });
		await advance(10 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});
});
