import { PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { freePort } from "@atelier/common/testing/free-port";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { deferred, invoked, openPlayground, refusal, temporaryFolder } from "../testing/setup.ts";

/**
 * A bot with a deferred reply in a playground with a folder, and a second playground on the same folder. The first
 * one is not closed: only what was on the disk at that moment survives, as after `kill -9`.
 */
async function openPlaygroundTwice(port?: number) {
	const clock = createManualClock();
	const options = { clock, dataDir: await temporaryFolder(), ...(port !== undefined && { port }) };
	const before = await deferred({ playground: await openPlayground(options) });
	return {
		before,
		restart: async () => {
			const playground = await openPlayground(options);
			const interaction = invoked(playground.rest, before.interaction.payload);
			return { ...playground, user: await playground.user(), interaction };
		},
	};
}

const withFile = (name: string) => ({ files: [{ name, bytes: Buffer.from(name) }] });

describe("after a kill and a restart the playground", () => {
	test("has the same token, servers of the bot, members, commands, messages and channels", async () => {
		const { before, restart } = await openPlaygroundTwice();
		const { admin, setBotPermissions, channelId, botToken, rest, guild, userId, started } = before.playground;
		await admin.deleteChannel({ channelId: channelId("gallery") });
		const { KickMembers, ManageChannels, ManageRoles } = PermissionFlagsBits;
		await setBotPermissions(KickMembers | ManageChannels | ManageRoles);
		await rest("DELETE", `/guilds/${guild.id}/members/${userId("grace")}`);
		const general = `/channels/${channelId("general")}`;
		const deny = String(PermissionFlagsBits.AddReactions);
		const temporary = { id: userId("lena"), type: 1, deny } as const;
		await admin.setOverwrites({ channelId: channelId("general"), overwrites: [temporary] });
		await rest("PUT", `${general}/permissions/${guild.id}`, { type: 0, deny });
		await rest("PATCH", general, { rate_limit_per_user: 5 });
		const [, second] = (await before.user.state()).guilds;
		await (await started.openUser({ username: "lena", guild: second?.name ?? "" })).setBotInstalled(false);
		const { members, commands, channels, messages } = await before.user.state();
		expect(members).toHaveLength(4);
		const after = await restart();
		expect(after.botToken).toBe(botToken);
		expect((await after.bot()).ready["guilds"]).toMatchObject([{ id: guild.id }]);
		const state = await after.user.state();
		expect([state.members, state.commands, state.channels]).toStrictEqual([members, commands, channels]);
		expect(state.messages).toMatchObject(messages.map(({ id, flags }) => ({ id, flags })));
		const changed = { rate_limit_per_user: 5, permission_overwrites: [{ id: guild.id, deny }] };
		expect(await after.rest("GET", general)).toMatchObject({ body: changed });
		await after.admin.reset();
		const initial = { rate_limit_per_user: 0, permission_overwrites: [] };
		expect(await after.rest("GET", general)).toMatchObject({ body: initial });
		// It never repeats an id, even if its clock stands still.
		const { id } = await after.send({ content: "new" });
		expect(BigInt(id)).toBeGreaterThan(BigInt(before.reply.message()?.id ?? 0));
	});

	test("serves earlier files from its new address, and accepts an edit with the old token", async () => {
		const { before, restart } = await openPlaygroundTwice();
		const draft = await before.interaction.webhook("PATCH", { content: "draft" }, withFile("a.png"));
		const [{ id }] = (draft.body as { attachments: [{ id: string }] }).attachments;
		const { interaction, user, origin } = await restart();
		const edit = { content: "here it is", attachments: [{ id }, { id: "0" }] };
		const answer = await interaction.webhook("PATCH", edit, withFile("a.mp4"));
		expect(answer).toMatchObject({ status: 200, body: { id: before.reply.message()?.id, flags: 0 } });
		const files = (await user.messages())[0]?.attachments ?? [];
		expect(files.map(({ filename }) => filename)).toStrictEqual(["a.png", "a.mp4"]);
		for (const file of files) {
			expect(file.url.startsWith(origin)).toBe(true);
			expect((await user.download(file)).toString()).toBe(file.filename);
		}
	});

	test("rejects a second callback, and the token fifteen minutes after its command", async () => {
		const { interaction, clock } = await (await openPlaygroundTwice()).restart();
		expect(await interaction.callback({ type: 5 })).toMatchObject(refusal(400, 40060));
		await clock.advance(15 * 60_000);
		expect(await interaction.webhook("PATCH", { content: "late" })).toMatchObject(refusal(401, 50027));
	});

	test("fails unanswered interactions from before the restart", async () => {
		const { before, restart } = await openPlaygroundTwice();
		const { interactionId } = await before.user.type("/image", { prompt: "late" });
		const { payload } = await before.bot.interaction(interactionId);
		const { rest, clock } = await restart();
		await clock.advance(3_000);
		expect(await invoked(rest, payload).callback({ type: 5 })).toMatchObject(refusal(404, 10062));
	});

	test("is found again by an open page", async () => {
		const { before, restart } = await openPlaygroundTwice(await freePort());
		await before.playground.pause();
		const { interaction } = await restart();
		await interaction.webhook("PATCH", { content: "here it is" });
		expect(await before.reply.until()).toMatchObject({ content: "here it is" });
		await before.user.close();
	});
});
