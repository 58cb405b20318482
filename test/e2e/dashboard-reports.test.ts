/** Reports where two surfaces meet: the command and the buttons in Discord, and the dashboard. */
import { describe, expect, test } from "vitest";
import { textOf } from "@atelier/playground/user-client/message-contents";
import { openDashboards } from "./dashboard-setup.ts";
import { channelIdOf } from "./members.ts";
import { answerTo, answerToImage, isMessagePresent, finalReply } from "./replies.ts";
import { reportResult, reportsIn } from "./reports.ts";

/** Ada has a result, which Grace reports. */
async function setup() {
	const opened = await openDashboards();
	const { owner, ada, grace, idOf, login, ownerId, params } = opened;
	const channelId = await channelIdOf(owner, "gallery");
	await answerTo(owner, "/settings general", { report_channel: channelId });
	const result = await finalReply(ada.type("/image", { prompt: "a boat" }));
	await reportResult(grace, result, "not my **taste**");
	const { call } = await login(ownerId);
	const moderator = await login(idOf("Lena"));
	const [listed] = (await call("reports", { params })).body.reports;
	if (!listed) throw new Error("no report is listed");
	const of = { params: { ...params, job: listed.taskId } };
	const act = (action: "dismiss" | "delete" | "block" | "refund") => call("actOnReport", { ...of, body: { action } });
	const messages = () => reportsIn(owner, channelId);
	const listOf = async (state: "open" | "closed") => (await call("reports", { params, query: { state } })).body.reports;
	return { ...opened, result, listed, of, act, messages, listOf, moderator, call };
}

describe("a report", () => {
	test("made in Discord is open on the dashboard until it is dismissed, and again after another report", async () => {
		const { listed, idOf, act, listOf, ownerId, owner, result, messages } = await setup();
		expect(listed).toMatchObject({
			userId: idOf("Ada"),
			prompt: "a boat",
			credits: 4,
			isOpen: true,
			reports: [{ userId: idOf("Grace"), reason: "not my **taste**" }],
			done: [],
			actions: ["delete", "block", "refund", "dismiss"],
		});
		expect(listed.url).toMatch(/^https:\/\/discord\.com\/channels\//);
		expect(await listOf("closed")).toEqual([]);
		expect((await act("dismiss")).body).toMatchObject({
			isOpen: false,
			done: [{ action: "dismiss", byUserId: ownerId }],
		});
		expect(await listOf("open")).toEqual([]);
		const [posted] = await messages();
		if (!posted) throw new Error("no report was posted");
		// The message in Discord names the moderator at once.
		expect(textOf(posted)).toContain(`**Report dismissed** by <@${ownerId}>`);
		await reportResult(owner, result, "I think so too");
		expect(await listOf("open")).toMatchObject([{ isOpen: true, reports: [{ userId: ownerId }, {}] }]);
		expect((await act("dismiss")).body).toMatchObject({ isOpen: false });
	});

	test("can delete its result and block the member, with effect in Discord", async () => {
		const { act, ada, result, listOf, ownerId, call, params } = await setup();
		expect((await act("delete")).status).toBe(200);
		expect(await isMessagePresent(ada, result)).toBe(false);
		expect((await act("block")).status).toBe(200);
		expect(await answerToImage(ada)).toContain("A result was reported");
		expect(await listOf("closed")).toMatchObject([{ url: null, actions: ["refund"] }]);
		const { body } = await call("settingsChanges", { params });
		expect(body.changes[0]).toMatchObject({ userId: ownerId, via: "dashboard" });
	});

	test("offers no refund once its job was refunded on the page of jobs, and one of an earlier page marks it", async () => {
		const { call, of, act, listOf, messages } = await setup();
		expect((await call("refundJob", of)).status).toBe(200);
		expect(await listOf("open")).toMatchObject([{ actions: ["delete", "block", "dismiss"] }]);
		expect((await act("refund")).body.done).toMatchObject([{ action: "refund", byUserId: null }]);
		const [posted] = await messages();
		expect(posted && textOf(posted)).toMatch(/\*\*4 credits refunded\*\*, <t:\d+:f>/);
		expect(await call("refundJob", of)).toMatchObject({
			status: 422,
			body: { error: { code: "denied", message: "This job has already been refunded." } },
		});
	});

	test("can be handled by moderators, except for the refund", async () => {
		const { moderator, of, act, params } = await setup();
		const { body } = await moderator.call("reports", { params });
		expect(body.reports[0]?.actions).toEqual(["delete", "block", "dismiss"]);
		const refunded = await moderator.call("actOnReport", { ...of, body: { action: "refund" } });
		expect(refunded).toMatchObject({ status: 422, body: { error: { code: "denied" } } });
		expect((await moderator.call("actOnReport", { ...of, body: { action: "dismiss" } })).status).toBe(200);
		expect((await act("refund")).body.done).toMatchObject([{ action: "refund" }, { action: "dismiss" }]);
	});
});
