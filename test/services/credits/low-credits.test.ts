import { expect, test } from "vitest";
import { finishedRemoteTask, runningRemoteTask } from "../../fakes/fake-media-api.ts";
import { GUILD, SECOND_MS, submission, setup } from "../tasks/task-setup.ts";
import { requireCredits } from "../../../src/services/credits/credit-check.ts";
import { UserError } from "../../../src/services/user-error.ts";
import { memberAuthor } from "../../../src/services/access/change-author.ts";

/** Starts a process in a server with a channel for warnings. */
async function setupWarnings(credits = 100) {
	const fixture = setup({ credits });
	const { process, advance, logger } = fixture;
	const withWarnings = { warnChannelId: "1000000000000000007" };
	await process.settings.change(GUILD, (before) => ({ ...before, ...withWarnings }), memberAuthor("1", "discord"));
	let tasks = 0;
	async function submit(costCredits: number, running = process): Promise<void> {
		const id = `10000000000000002${String(10 + tasks++)}`;
		const request = { ...submission.request, costCredits };
		try {
			await requireCredits(running, submission, request, logger);
			await running.submit({ id, request });
		} catch (error) {
			if (!(error instanceof UserError)) throw error;
		}
		await advance(SECOND_MS);
	}
	return { ...fixture, submit };
}

const USED_UP = ["4 of 20 credits left this month", "has used all 20 credits"];
const TOO_FEW = ["10 of 100 credits left this month", "A job needed 30 credits, and this server has 10"];

test.each([
	["run low and are used up, once each", 20, Array(7).fill(4), USED_UP],
	["are too few for a request, once", 100, Array(5).fill(30), TOO_FEW],
	["are fewer than a request costs in any month, never", 100, [500], []],
])("managers are warned when the monthly credits %s", async (_when, credits, costs, warnings) => {
	const { posted, submit } = await setupWarnings(credits);
	for (const cost of costs) await submit(cost);
	expect(posted).toMatchObject(warnings.map((warning) => expect.stringContaining(warning)));
});

test("a warning names the refill of the granted month, whatever the time zone is by then", async () => {
	const { process, posted, submit } = await setupWarnings();
	await submit(30);
	const timeZone = "Pacific/Kiritimati";
	await process.settings.change(GUILD, (before) => ({ ...before, timeZone }), memberAuthor("1", "discord"));
	await submit(55);
	expect(posted).toStrictEqual([expect.stringContaining(`<t:${Date.UTC(2026, 1, 1) / 1000}`)]);
});

test("held credits cause no warning", async () => {
	const { posted, media, submit } = await setupWarnings();
	media.answer = runningRemoteTask;
	for (let n = 0; n < 20; n++) await submit(4);
	media.answer = finishedRemoteTask();
	await submit(4);
	// 4 of 100 credits are charged. With the 80 that are held, more than the 80 % of a warning would be used.
	expect(posted).toStrictEqual([]);
});

test.each([
	["Discord rejects", () => Promise.reject(new Error("503")), false],
	["is lost because its process is killed", () => new Promise<never>(() => {}), true],
])("a warning that %s is repeated with the next charge, and once only", async (_why, fail, isKilled) => {
	const { process, boot, posted, discord, submit } = await setupWarnings();
	const { post } = discord;
	discord.post = fail;
	await submit(85);
	discord.post = post;
	const next = isKilled ? boot() : process;
	await submit(1, next);
	await submit(1, next);
	expect(posted).toMatchObject([expect.stringContaining("14 of 100 credits left")]);
});
