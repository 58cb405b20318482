/** Reports where two surfaces meet: the command and the buttons in Discord, and the dashboard. */
import { assert, expect, test } from "vitest";
import { textOf } from "@atelier/playground/user-client/message-contents";
import { openDashboards } from "./dashboard-setup.ts";
import { channelIdOf } from "./start-atelier.ts";
import { answerTo, finalReply, reportResult, reportsIn } from "./replies.ts";

/** Ada has a result, which Grace reports. */
async function setup() {
	const opened = await openDashboards();
	const { owner, ada, grace, call, params } = opened;
	const channelId = await channelIdOf(owner, "gallery");
	await answerTo(owner, "/settings general", { report_channel: channelId });
	const result = await finalReply(ada.type("/image", { prompt: "a boat" }));
	await reportResult(grace, result, "not my **taste**");
	const [listed = assert.fail("no report is listed")] = (await call("reports", { params })).body.items;
	const of = { params: { ...params, job: listed.taskId } };
	const act = (action: "dismiss" | "delete" | "block" | "refund") => call("actOnReport", { ...of, body: { action } });
	const postedText = async () => (await reportsIn(owner, channelId)).map(textOf).join("\n");
	const listOf = async (state: "open" | "closed") => (await call("reports", { params, query: { state } })).body.items;
	return { ...opened, result, listed, of, act, postedText, listOf };
}

test("a report made in Discord is open on the dashboard until it is dismissed, and again after another report", async () => {
	const { listed, login, params, idOf, act, listOf, ownerId, owner, result, postedText } = await setup();
	expect(listed).toMatchObject({
		userId: idOf("Ada"),
		prompt: "a boat",
		credits: 4,
		isOpen: true,
		reports: [{ userId: idOf("Grace"), reason: "not my **taste**" }],
		done: [],
		actions: ["dismiss", "refund", "delete", "block"],
	});
	expect(listed.url).toMatch(/^https:\/\/discord\.com\/channels\//);
	const { call: callAsModerator } = await login(idOf("Lena"));
	const { items: reports } = (await callAsModerator("reports", { params })).body;
	expect(reports).toMatchObject([{ actions: ["dismiss", "delete", "block"] }]);
	expect(await listOf("closed")).toEqual([]);
	const done = [{ action: "dismiss", byUserId: ownerId }];
	expect((await act("dismiss")).body).toMatchObject({ isOpen: false, done });
	expect(await listOf("open")).toEqual([]);
	// The message in Discord names the moderator at once.
	expect(await postedText()).toContain(`**Report dismissed** by <@${ownerId}>`);
	await reportResult(owner, result, "I think so too");
	expect(await listOf("open")).toMatchObject([{ isOpen: true, reports: [{ userId: ownerId }, {}] }]);
});

test("a report offers no refund once its job was refunded on the page of jobs, and one of an earlier page marks it", async () => {
	const { call, of, act, listOf, postedText } = await setup();
	expect((await call("refundJob", of)).status).toBe(200);
	expect(await listOf("open")).toMatchObject([{ actions: ["dismiss", "delete", "block"] }]);
	expect((await act("refund")).body.done).toMatchObject([{ action: "refund", byUserId: null }]);
	expect(await postedText()).toMatch(/\*\*4 credits refunded\*\*, <t:\d+:f>/);
	const message = "This job has already been refunded.";
	expect(await call("refundJob", of)).toMatchObject({ status: 422, body: { error: { code: "denied", message } } });
});
