import { describe, expect, test } from "vitest";
import { made, open } from "../../fakes/fake-media-api.ts";
import { GUILD, MINUTE_MS, SECOND_MS, taskRequest, setup, textOf } from "./task-setup.ts";

const CHANNEL = "1000000000000000007";

/** A server with a channel for warnings. */
async function warned(credits: number) {
	const all = setup({ credits });
	await all.process.settings.change(GUILD, (before) => ({ ...before, warnChannelId: CHANNEL }), "member:1");
	let ordered = 0;
	const request = async (costCredits: number): Promise<string> => {
		const id = `10000000000000002${String(10 + ordered++)}`;
		await all.process.submit({ id, request: { ...taskRequest.request, costCredits } });
		await all.pass(SECOND_MS);
		return id;
	};
	return { ...all, request };
}

describe("the admins of a server", () => {
	test("are warned in their channel once when the monthly credits run low, and once when they are used up", async () => {
		const { announced, request } = await warned(20);
		for (let n = 0; n < 7; n++) await request(4);
		expect(announced).toMatchObject([
			expect.stringContaining("4 credits left of the 20"),
			expect.stringContaining("has used up its 20 credits"),
		]);
	});

	test("are warned in the language of their server", async () => {
		const { announced, request, process } = await warned(20);
		await process.settings.change(GUILD, (before) => ({ ...before, language: "pt-BR" }), "member:1");
		for (let n = 0; n < 4; n++) await request(4);
		expect(announced).toMatchObject([expect.stringContaining("Este servidor ainda tem 4 créditos dos 20")]);
	});

	test("are not warned because of held credits", async () => {
		const { announced, media, request } = await warned(100);
		media.answer = open;
		for (let n = 0; n < 20; n++) await request(4);
		media.answer = made();
		await request(4);
		expect(announced).toStrictEqual([]);
	});

	test("are warned once when the balance is too low for a request", async () => {
		const { announced, request } = await warned(100);
		for (let n = 0; n < 5; n++) await request(30);
		expect(announced).toMatchObject([
			expect.stringContaining("10 credits left of the 100"),
			expect.stringContaining("cannot pay for what was asked any more: that costs 30 credits, and 10 are left"),
		]);
	});

	test("are not warned about requests that exceed a whole month", async () => {
		const { announced, request } = await warned(100);
		await request(500);
		expect(announced).toStrictEqual([]);
	});

	test("are warned with the next charge if Discord failed", async () => {
		const { announced, discord, request } = await warned(100);
		const { post } = discord;
		discord.post = () => Promise.reject(new Error("503"));
		await request(85);
		discord.post = post;
		await request(1);
		await request(1);
		expect(announced).toMatchObject([expect.stringContaining("14 credits left")]);
	});

	test("are not warned in a channel where the bot may not write", async () => {
		const { discord, request } = await warned(100);
		let asked = 0;
		discord.post = async () => ++asked < 0;
		for (let n = 0; n < 3; n++) await request(n === 0 ? 85 : 1);
		expect(asked).toBe(1);
	});
});

const untilCutOff = (_channelId: string, _announcement: unknown, signal: AbortSignal): Promise<boolean> =>
	new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

describe("a warning that Discord never answers", () => {
	test("delays neither the result nor, for long, the next warning", async () => {
		const { announced, discord, replyClient, request, pass } = await warned(100);
		const { post } = discord;
		discord.post = untilCutOff;
		const id = await request(85);
		expect(textOf(replyClient, id)).toContain("85 credits");
		await pass(MINUTE_MS);
		discord.post = post;
		await request(1);
		expect(announced).toHaveLength(1);
	});

	test("does not delay a stop, and the next process repeats it", async () => {
		const { announced, boot, discord, request, process, pass } = await warned(100);
		const { post } = discord;
		discord.post = untilCutOff;
		await request(85);
		let stopped = false;
		const stop = process.lowCredits.stop().then(() => (stopped = true));
		await pass(5 * SECOND_MS);
		expect(stopped).toBe(true);
		await stop;
		discord.post = post;
		await process.runner.stop();
		await boot().submit({ id: "1000000000000000099", request: { ...taskRequest.request, costCredits: 1 } });
		await pass(SECOND_MS);
		expect(announced).toHaveLength(1);
	});
});
