import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/is-final-reply.ts";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { serverCreditsLeft, openAtelier, CREDITS_AFTER_IMAGE } from "./start-atelier.ts";
import { freePort } from "@atelier/common/testing/free-port";
import { runScript } from "./child-process.ts";
import { finalReply } from "./replies.ts";

test("a restored backup generates, charges and delivers nothing twice, and accepts no task until the operator opens it", async () => {
	const folder = await createTempFolder();
	const env = { DATA_DIR: folder, STORE_URL: `sqlite:${join(folder, "atelier.db")}` };
	const engine = createFakeEngine({ script: [{ kind: "succeed" }, { kind: "hang" }] });
	const backup = join(folder, "one.backup");

	const before = await openAtelier({ env, engine });
	await finalReply(before.userClient.type("/image", { prompt: "done before" }));
	const open = await before.userClient.type("/image", { prompt: "open in the backup" });
	await expect.poll(() => engine.runs.length).toBe(2);
	expect(await runScript("src/cli/atelier.ts", { env, args: ["backup", backup] })).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(/one\.backup was written and verified: \d+ documents of 20/),
	});
	engine.runs[1]?.finish();
	await open.until(isFinalReply);
	await finalReply(before.userClient.type("/image", { prompt: "lost with the store" }));
	expect(await serverCreditsLeft(before.userClient)).toBe(488);
	const seen = await before.userClient.messages();

	const restore = async (...args: string[]) =>
		await runScript("src/cli/atelier.ts", {
			env: { ...env, PORT: String(await freePort()) },
			args: ["restore", ...args],
		});
	const rejected = {
		code: 1,
		stderr: expect.stringContaining("Not possible: another process works on the store"),
	};
	expect(await restore(backup, "--replace")).toMatchObject(rejected);
	const trial = { DATA_DIR: await createTempFolder(), PORT: new URL(before.atelier.origin).port };
	expect(await runScript("src/cli/atelier.ts", { env: trial, args: ["restore", backup] })).toMatchObject({
		code: 0,
		stdout: expect.stringContaining("number of restores (epoch): 1"),
	});
	await before.userClient.close();
	await before.atelier.stop();
	expect(await restore(backup)).toMatchObject({ code: 1, stderr: expect.stringContaining("Use --replace") });
	const done = await restore(backup, "--replace");
	expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("number of restores (epoch): 1") });
	expect(done.stdout).toContain("The previous contents of the store are in");
	expect(done.stdout).toContain("1 open task of the studio is canceled");
	expect(done.stdout).toContain("no differences");

	const after = await openAtelier({ env, engine });
	const tooEarly = await after.userClient.type("/image", { prompt: "too early" });
	expect(textOf(await tooEarly.until(isFinalReply))).toContain("restored from a backup");
	await expect.poll(() => serverCreditsLeft(after.userClient)).toBe(CREDITS_AFTER_IMAGE);
	const shown = async () => (await after.userClient.messages()).filter((message) => filesOf(message).length > 0);
	expect((await shown()).map(({ id }) => id)).toStrictEqual(
		seen.filter((message) => filesOf(message).length > 0).map(({ id }) => id),
	);
	expect(engine.runs).toHaveLength(3);

	await after.userClient.close();
	await after.atelier.stop();
	expect(await restore("--open")).toMatchObject({ code: 0, stdout: expect.stringContaining("accepted again") });
	const { userClient } = await openAtelier({ env, engine });
	expect(filesOf(await finalReply(userClient.type("/image", { prompt: "at last" })))).toHaveLength(1);
	expect(await serverCreditsLeft(userClient)).toBe(492);
});
