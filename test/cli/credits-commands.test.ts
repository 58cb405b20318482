import { expect, test } from "vitest";
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
	return { clock, run, storage, store };
}

test("a credit change that is repeated with the same --id moves credits once", async () => {
	const { run } = setup();
	const granted = [
		"The grant of 1,000 credits with --id A is done; a repeat changes nothing.",
		`Server ${GUILD} has 1,000 credits available.`,
	];
	for (const more of ["", " --expires 2027-01-31"])
		expect((await run(`grant ${GUILD} 1000 --reason contest --id A${more}`)).stdout.slice(0, 2)).toStrictEqual(granted);
	// A revoke with the id of a grant is another change.
	expect((await run(`revoke ${GUILD} 1 --reason contest --id A`)).stdout[1]).toBe(
		`Server ${GUILD} has 999 credits available.`,
	);
});

test("amounts may have separators, and expiring credits expire at the end of their day", async () => {
	const { clock, run } = setup();
	expect((await run(`grant ${GUILD} 1,000 --reason contest --expires 2026-11-21`)).stdout[0]).toMatch(
		/^The grant of 1,000 /,
	);
	expect((await run(`show ${GUILD}`)).stdout).toContain(
		"             1,000 credits of them until 2026-11-22T00:00:00.000Z",
	);
	await clock.advance(36 * 3_600_000);
	expect((await run(`show ${GUILD}`)).stdout).toContain("  available  0 credits");
	const pastExpiry = await run(`grant ${GUILD} 5 --reason contest --expires 2026-11-20`);
	expect(pastExpiry).toMatchObject({ code: 2, stderr: expect.stringContaining("2026-11-20 is in the past") });
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

test("an audit reports a server without an account and a violation, fails, and changes nothing", async () => {
	const { run, store } = setup();
	await run(`grant ${GUILD} 5 --reason contest`);
	expect(await run(`audit ${OTHER_GUILD}`)).toMatchObject({
		code: 1,
		stdout: [],
		stderr: `Server ${OTHER_GUILD} has no account: it has not used the bot yet, or the id is wrong.`,
	});
	const stdout = ["Audited 1 account with 1 entry: no differences."];
	expect(await run(`audit ${GUILD}`)).toMatchObject({ code: 0, stdout });

	const key = `account:guild:${GUILD}`;
	const forged = { ...(await store.get<object>(key))?.value, postedCredits: 999_999 };
	await store.set(key, forged);
	const audited = await run("audit");
	expect(audited.code).toBe(1);
	expect(audited.stdout.join("\n")).toMatch(/posted: expected 5, found 999999[^]*Nothing was changed\./);
	expect((await store.get(key))?.value).toStrictEqual(forged);
});
