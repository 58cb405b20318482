/** Results on the dashboard: previews, filters, and reports from there. */
import { assert, expect, test } from "vitest";
import { textOf } from "@atelier/playground/user-client/message-contents";
import { isFinalReply } from "../../src/discord/is-final-reply.ts";
import { openDashboards } from "./dashboard-setup.ts";
import { channelIdOf } from "./start-atelier.ts";
import { answerTo, answerToImage, messagesIn } from "./replies.ts";

const noJob = (): never => assert.fail("a job is missing");

async function setup() {
	const opened = await openDashboards();
	const { call, browser, params } = opened;
	const jobs = async (query: object = {}) => (await call("jobs", { params, query })).body.items;
	const previewOf = (job: string) => browser.request(`/dashboard/api/servers/${params.server}/jobs/${job}/preview`);
	return { ...opened, jobs, previewOf };
}

test("a preview of a public result is the file in its message", async () => {
	const { ada, jobs, previewOf, origin } = await setup();
	await answerToImage(ada);
	const [job = noJob()] = await jobs();
	expect(job).toMatchObject({ files: 1, isSpoiler: false });
	const redirect = await previewOf(job.id);
	expect(redirect.status).toBe(302);
	expect(redirect.headers.get("cache-control")).toContain("private");
	const file = await fetch(new URL(redirect.headers.get("location") ?? assert.fail("no redirect"), origin));
	expect(file.headers.get("content-type")).toContain("image/");
});

test("a preview does not exist for private and deleted results, and those of age-restricted channels, which can be reported", async () => {
	const { ada, owner, jobs, previewOf, login, idOf, params, call } = await setup();
	await answerTo(owner, "/settings general", { report_channel: await channelIdOf(owner, "gallery") });
	await answerTo(ada, "/image", { prompt: "a secret", private: true });
	const result = await (await ada.type("/image", { prompt: "a boat" })).until(isFinalReply);
	await (await ada.type("/image", { prompt: "a night" }, { channel: "after-dark" })).until(isFinalReply);
	const made = await jobs();
	expect(made.map(({ files }) => files)).toEqual([1, 1, 0]);
	const [night = noJob(), boat = noJob(), secret = noJob()] = made.map(({ id }) => id);
	for (const hidden of [night, secret]) expect((await previewOf(hidden)).status).toBe(422);
	// Ada may see her own result, but the bot cannot read an ephemeral message, so there is no preview.
	const own = await login(idOf("Ada"));
	const ownPreview = await own.browser.request(`/dashboard/api/servers/${params.server}/jobs/${secret}/preview`);
	expect(ownPreview.status).toBe(404);
	const report = { params: { ...params, job: night }, body: { reason: "too dark" } };
	expect((await call("reportJob", report)).status).toBe(200);
	for (const job of [boat, night])
		expect((await call("deleteResult", { params: { ...params, job } })).status).toBe(200);
	expect((await owner.messages()).some(({ id }) => id === result.id)).toBe(false);
	expect((await previewOf(boat)).status).toBe(422);
	const deleted = { state: "succeeded", files: 0, url: null, actions: ["refund"] };
	expect(await jobs()).toMatchObject([deleted, deleted, {}]);
});

test("jobs are found by model and time, and can be reported on the page to the moderators in Discord", async () => {
	const { ada, owner, jobs, call, params } = await setup();
	const beforeMs = Date.now();
	await answerToImage(ada);
	const afterMs = Date.now() + 1;
	const [job = noJob()] = await jobs();
	const found = async (query: object) => (await jobs(query)).length;
	expect(await found({ model: "fake-image" })).toBe(1);
	expect(await found({ model: "another" })).toBe(0);
	expect(await found({ fromMs: beforeMs, untilMs: afterMs })).toBe(1);
	expect(await found({ fromMs: afterMs })).toBe(0);
	expect(await found({ untilMs: job.createdAtMs })).toBe(0);

	expect(job.actions).toEqual(["delete", "refund"]);
	const channelId = await channelIdOf(owner, "gallery");
	await answerTo(owner, "/settings general", { report_channel: channelId });
	expect((await jobs())[0]?.actions).toEqual(["delete", "refund", "report"]);
	const report = () =>
		call("reportJob", { params: { ...params, job: job.id }, body: { reason: "not for this server" } });
	expect((await report()).status).toBe(200);
	expect((await messagesIn(owner, channelId)).map(textOf).join("\n")).toContain("not for this server");
	expect(await report()).toMatchObject({ status: 422, body: { error: { code: "denied" } } });
	expect((await call("reports", { params })).body.items).toMatchObject([{ taskId: job.id }]);
});
