import { describe, expect, test } from "vitest";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { runCli } from "./run-cli.ts";

const GUILD = "1000000000000000001";
const OTHER_GUILD = "1000000000000000002";
const THIRD_GUILD = "1000000000000000003";

function setup() {
	const storage = createMemoryAdapter();
	const store = createKeyvStore(storage);
	const clock = createManualClock(Date.UTC(2026, 10, 20, 12));
	const run = (line: string) => runCli(["credits", ...line.split(" ")], { store, clock });
	return { clock, run, storage };
}

describe("a credit change that is repeated with the same --id", () => {
	test.each(["", " --expires 2027-01-31"])('reports that it was already done, with the options "%s"', async (more) => {
		const { clock, run } = setup();
		expect((await run(`grant ${GUILD} 1000 --reason contest --id A`)).stdout[0]).toBe("Granted 1,000 credits, id A.");
		await clock.advance(1000);
		expect((await run(`grant ${GUILD} 1000 --reason contest --id A${more}`)).stdout).toStrictEqual([
			"Nothing moved: id A was done already at 2026-11-20T12:00:00.000Z, and stays as it was then.",
			`Server ${GUILD} has 1,000 credits available.`,
		]);
	});

	test("is recognized even if its entry is far back in the journal", async () => {
		const { run } = setup();
		for (let n = 1; n <= 20; n++) await run(`grant ${GUILD} ${n} --reason contest --id id-${n}`);
		expect((await run(`grant ${GUILD} 1 --reason contest --id id-1`)).stdout[0]).toMatch(/^Nothing moved: id id-1 was/);
		// A revoke with the id of a grant is another change.
		expect((await run(`revoke ${GUILD} 1 --reason contest --id id-1`)).stdout[0]).toBe("Revoked 1 credit, id id-1.");
	});
});

test("amounts may have separators, and expiring credits expire at the end of their day", async () => {
	const { clock, run } = setup();
	expect((await run(`grant ${GUILD} 1,000 --reason contest --expires 2026-11-21`)).stdout[0]).toMatch(
		/^Granted 1,000 /,
	);
	expect((await run(`show ${GUILD}`)).stdout).toContain(
		"             1,000 credits of them until 2026-11-22T00:00:00.000Z",
	);
	await clock.advance(36 * 3_600_000);
	expect((await run(`show ${GUILD}`)).stdout).toContain("  available  0 credits");
	const pastExpiry = await run(`grant ${GUILD} 5 --reason contest --expires 2026-11-20`);
	expect(pastExpiry).toMatchObject({ code: 2, stderr: expect.stringContaining("2026-11-20 is over") });
});

test("an export continues after an unreadable account, names it, and fails", async () => {
	const { run, storage } = setup();
	for (const guildId of [GUILD, OTHER_GUILD, THIRD_GUILD]) await run(`grant ${guildId} 5 --reason contest`);
	await storage.set(`account:guild:${OTHER_GUILD}`, "garbage");
	const { code, stdout, stderr } = await run("export");
	const accounts = stdout.map((line) => (JSON.parse(line) as { account: string }).account);
	expect(accounts).toStrictEqual([`guild:${GUILD}`, `guild:${THIRD_GUILD}`]);
	expect(stderr).toBe(
		`guild:${OTHER_GUILD} is not exported in full: the document account:guild:${OTHER_GUILD} cannot be read`,
	);
	expect(code).toBe(1);
});

test("an audit of a server without an account reports that, and fails", async () => {
	const { run } = setup();
	await run(`grant ${GUILD} 5 --reason contest`);
	expect(await run(`audit ${OTHER_GUILD}`)).toMatchObject({
		code: 1,
		stdout: [`Server ${OTHER_GUILD} has no account: it has not used the bot yet, or the id is wrong.`],
	});
	expect(await run(`audit ${GUILD}`)).toMatchObject({
		code: 0,
		stdout: ["Audited 1 account with 1 entry: no differences."],
	});
});
