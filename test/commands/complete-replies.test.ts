/** Every message, form and list of choices with its longest content, as it is sent, in every language. */
import { describe, expect, test } from "vitest";
import { setupBudgetCustomId, setupStepCustomId } from "../../src/commands/setup-view.ts";
import { reportActionCustomId, reportRow } from "../../src/discord/report-buttons.ts";
import { textsIn } from "../../src/discord/message-contents.ts";
import { bodyOf, versionsOf } from "../../src/discord/message-versions.ts";
import type { FinalReply } from "../../src/services/delivery/reply-client.ts";
import { settingsPanel } from "../../src/commands/settings-panel.ts";
import { settingForm, toggleOf } from "../../src/commands/settings-forms.ts";
import { limitForm } from "../../src/commands/quota-panel.ts";
import { LIMIT_FIELDS } from "../../src/services/settings/format-limits.ts";
import { pageOf, SETTING_FIELDS } from "../../src/services/settings/format-access.ts";
import { imageRows } from "../../src/discord/image-buttons.ts";
import { taskButtonCustomIds, taskButtonRows } from "../../src/discord/task-buttons.ts";
import { topUpRow } from "../../src/discord/top-up-buttons.ts";
import { validateRequest } from "@atelier/playground/schema/validator";
import { messageErrors } from "@atelier/playground/schema/message-validation";
import { modalErrors } from "@atelier/playground/schema/component-validation";
import { ApiError } from "@atelier/playground/simulator/api-error";
import { renderFinalReply, renderDelayNotice } from "../../src/services/tasks/render-result.ts";
import { renderProgress } from "../../src/services/tasks/render-progress.ts";
import { imageLabels, resultButtons } from "../../src/services/tasks/result-buttons.ts";
import { REPORT_ACTIONS } from "../../src/services/moderation/reported-results.ts";
import { formatReport } from "../../src/services/moderation/format-report.ts";
import { SETUP_STEPS } from "../../src/services/settings/setup-steps.ts";
import { TRANSLATED_LOCALES } from "../../src/i18n/languages.ts";
import { t } from "../../src/i18n/messages.ts";
import { renderConfirmation } from "../../src/services/tasks/confirmations.ts";
import type { Task, TaskIn } from "../../src/services/tasks/task.ts";
import type { MediaType } from "@atelier/media-protocol/model";
import { channelDefaultsCustomId } from "../../src/commands/channel-defaults-panel.ts";
import { AT_MS, FULL, LONGEST_ID, modelOf, openComplete, stars, taskOf, type Sent } from "./open-complete.ts";

const CREDITS_MAX = 1_000_000_000;
const taskId = LONGEST_ID;

/** Discord's errors for a body; empty if it is valid. */
function faultsOf({ kind, body }: Sent): readonly unknown[] {
	try {
		if (kind === "choices") validateRequest("ApplicationCommandAutocompleteCallbackRequest", { type: 8, data: body });
		else if (kind === "modal") validateRequest("ModalInteractionCallbackRequest", { type: 9, data: body });
		else
			validateRequest("IncomingWebhookUpdateRequestPartial", {
				content: body["content"],
				components: body["components"] ?? [],
			});
	} catch (error) {
		if (error instanceof ApiError) return [error.toBody()];
		throw error;
	}
	if (kind === "modal") return modalErrors(body as never);
	return kind === "message" ? messageErrors(body, "interactionCreate") : [];
}

const models25 = Array.from({ length: 30 }, (_, at) => ({ ...modelOf("image"), id: `model ${at}` }));

const namedFaultsOf = (name: string, one: Sent): readonly unknown[] => faultsOf(one).map((fault) => [name, fault]);
const sent = (body: object): Sent => ({ kind: "message", body: JSON.parse(JSON.stringify(body)) as Sent["body"] });

/** Locales with the texts of another one are left out. */
const LOCALES = ["en-US", ...TRANSLATED_LOCALES].filter((locale) => !["es-419", "zh-TW"].includes(locale));

describe.each(LOCALES)("the request in %s is valid:", (locale) => {
	const whole = openComplete(locale);

	test.each<[string, Readonly<Record<string, unknown>>?]>([
		["help"],
		["credits show"],
		["credits history"],
		["credits history", { member: LONGEST_ID }],
		["quota show"],
		["quota server", { credits: CREDITS_MAX }],
		["quota member", { member: LONGEST_ID, credits: CREDITS_MAX }],
		["settings show"],
		["settings media", { image: false }],
		["settings audit"],
		["settings pause", { on: true, message: stars(200) }],
		["filter list"],
		["filter add", { pattern: "x".repeat(64) }],
		["block", { member: "7", reason: stars(200), days: 3650, hours: 23 }],
		["blocks"],
		["style list"],
		["style add", { name: "x".repeat(32), text: stars(500) }],
		["style remove", { name: Object.keys(FULL.styles)[0] }],
		["job list"],
		["gallery server"],
		["job show", { id: taskId }],
		["setup"],
	])("the reply to /%s", async (path, options) => {
		const answer = await whole.type(path, options);
		expect(answer.kind).toBe("message");
		// Fails if the reply reports that there are no entries.
		const { content = "", components } = answer.body;
		expect([content, ...textsIn(components)].join("\n").length).toBeGreaterThan(400);
		expect(namedFaultsOf(path, answer)).toStrictEqual([]);
	});

	test("every step of /setup, with all choices selected", async () => {
		for (const step of SETUP_STEPS)
			expect(namedFaultsOf(step, await whole.press(setupStepCustomId.encode({ step })))).toStrictEqual([]);
	});

	test("every panel, with a denial", async () => {
		const reason = { key: "settings.listFull", params: { listedMax: 100 } } as const;
		for (const field of SETTING_FIELDS) {
			const denial = { field, reason };
			const panel = settingsPanel({ settings: FULL, blockedMembers: 500, denial, page: pageOf(field) }, locale);
			expect(namedFaultsOf(field, sent(panel))).toStrictEqual([]);
		}
	});

	test("the defaults of many channels, with a denial", async () => {
		const notice = { key: "settings.denied", params: { reason: { key: "settings.oneModelPerMediaType" } } } as const;
		const content = { settings: FULL, blockedMembers: 500, models: models25, page: "channels", notice } as const;
		expect(namedFaultsOf("channels", sent(settingsPanel(content, locale)))).toStrictEqual([]);
	});

	test("every form, with all fields filled in", async () => {
		const [channelId = ""] = Object.keys(FULL.channelDefaults);
		const opened = {
			channel: await whole.press(channelDefaultsCustomId.encode({ channelId })),
			budget: await whole.press(setupBudgetCustomId.encode({})),
			edit: await whole.press(taskButtonCustomIds.edit.encode({ taskId })),
			input: await whole.press(taskButtonCustomIds.input.encode({ taskId })),
			report: await whole.press(taskButtonCustomIds.report.encode({ taskId })),
			style: await whole.context("Save as style", taskButtonCustomIds.report.encode({ taskId })),
			...Object.fromEntries(
				SETTING_FIELDS.filter((field) => toggleOf(FULL, field, { promptImprover: undefined }) === undefined).map(
					(field) => {
						const form = settingForm(
							field,
							{ settings: FULL, models: models25, hasModeration: true, rejected: {} },
							locale,
						);
						return [field, { kind: "modal", body: JSON.parse(JSON.stringify(form)) as Sent["body"] } as const];
					},
				),
			),
		};
		for (const field of LIMIT_FIELDS.filter((each) => each !== "unused")) {
			const form = limitForm(field, { settings: FULL, rejected: {} }, locale);
			expect(
				namedFaultsOf(field, { kind: "modal", body: JSON.parse(JSON.stringify(form)) as Sent["body"] }),
			).toStrictEqual([]);
		}
		for (const [name, form] of Object.entries(opened)) {
			expect([name, form.kind]).toStrictEqual([name, "modal"]);
			expect(namedFaultsOf(name, form)).toStrictEqual([]);
		}
	});

	test("autocomplete choices", async () => {
		const offered = {
			model: await whole.choices("image", "model"),
			aspect_ratio: await whole.choices("image", "aspect_ratio"),
			resolution: await whole.choices("image", "resolution"),
			style: await whole.choices("music", "style"),
			style_to_remove: await whole.choices("style remove", "name"),
			style_resolution: await whole.choices("style add", "resolution"),
			pattern: await whole.choices("filter remove", "pattern"),
			model_to_switch: await whole.choices("settings model", "model"),
			zone: await whole.choices("quota server", "time_zone"),
			job: await whole.choices("job show", "id"),
		};
		for (const [name, choices] of Object.entries(offered)) {
			expect([name, choices.kind, (choices.body["choices"] as unknown[]).length]).toStrictEqual([name, "choices", 25]);
			expect(namedFaultsOf(name, choices)).toStrictEqual([]);
		}
	});

	test("a task's reply, in every state", () => {
		const known = { phase: "queued", progressPercent: 95, queuePosition: 1_000_000, readyAtMs: AT_MS } as const;
		const making = taskOf({ state: "submitted", remoteId: "r", cancel: { atMs: 1 } }, locale) as Task;
		const news = renderProgress(making, known, 0);
		expect(
			namedFaultsOf("progress", sent({ content: news?.text, components: taskButtonRows(taskId, news?.buttons ?? []) })),
		).toStrictEqual([]);
		expect(namedFaultsOf("late", sent({ content: renderDelayNotice(making) }))).toStrictEqual([]);

		const question = renderConfirmation(making.request, locale);
		const components = taskButtonRows(taskId, question.buttons);
		expect(namedFaultsOf("confirmation", sent({ content: t(locale, question.ref), components }))).toStrictEqual([]);

		const models = { known: (mediaType: MediaType) => [modelOf(mediaType)] };
		const note = { key: "result.preview", params: { changes: [{ key: "change.frame" }], sizeMiB: 99_999, taskId } };
		const files = Array.from({ length: 10 }, () => ({ name: "a.png", contentType: "image/png", sizeBytes: 1, note }));
		const links = files.map(() => ({ url: `https://bot.example.com/${"a".repeat(200)}`, untilS: AT_MS / 1000 }));
		const settledFields = { state: "settled", outcome: { kind: "succeeded", seed: 2 ** 31 - 1, files } };
		const settledTask = taskOf(settledFields, locale, "image") as TaskIn<"settled">;
		const images = imageLabels(settledTask, models);
		expect(images).toHaveLength(10);
		const below = imageRows(taskId, images);
		const buttons = [...taskButtonRows(taskId, resultButtons(settledTask, models)), ...below];
		const alone = { ...settledFields, outcome: { ...settledFields.outcome, files: files.slice(0, 1) } };
		const ofOne = resultButtons(taskOf(alone, locale, "image") as TaskIn<"settled">, models);
		expect(ofOne).toHaveLength(9);
		const single = sent({ content: "", components: taskButtonRows(taskId, ofOne) });
		expect(namedFaultsOf("one", single)).toStrictEqual([]);
		const { text, textWithoutFiles, textWithoutPrompt, direct } = renderFinalReply(settledTask, links);
		const texts = [text, textWithoutFiles, textWithoutPrompt, ...Object.values(direct)];
		for (const content of texts)
			expect(namedFaultsOf("result", sent({ content, components: buttons }))).toStrictEqual([]);
		const content = { sizeBytes: 1, readInto: async () => {} };
		const shown = { description: "a".repeat(1_024), content, name: "a.png", contentType: "image/png" };
		const reply: FinalReply = {
			taskId,
			recipientId: taskId,
			tone: "success",
			moreLabel: t(locale, { key: "form.more" }),
			buttons: ofOne,
			images,
			files: files.map((_, at) => ({ ...shown, name: `${at}.png` })),
			text,
			textWithoutPrompt,
			direct,
		};
		for (const resultText of texts) {
			const versions = versionsOf(reply, { text: resultText, textWithoutPrompt }, { mayBeCard: true });
			expect(versions.filter(({ tone }) => tone !== undefined).length).toBeGreaterThan(0);
			for (const version of versions) expect(namedFaultsOf("card", sent(bodyOf(version)))).toStrictEqual([]);
		}
		const why = { key: "service.rejected", params: { reason: stars(600) } };
		const lost = { state: "settled", outcome: { kind: "failed", why } };
		const failed = taskOf(lost, locale, "image") as TaskIn<"settled">;
		const under = taskButtonRows(taskId, resultButtons(failed, models));
		const offer = topUpRow({ skuIds: ["1", "2", "3", "4"], redeemLabel: t(locale, { key: "button.redeem" }) });
		expect(
			namedFaultsOf("reason", sent({ content: renderFinalReply(failed).text, components: [...under, offer] })),
		).toStrictEqual([]);
	});

	test("a report, with the moderators' buttons", () => {
		const mark = { byUserId: taskId, atMs: AT_MS };
		const reported = {
			taskId,
			guildId: taskId,
			userId: taskId,
			channelId: taskId,
			messageId: taskId,
			mediaType: "music",
			modelName: stars(80),
			prompt: stars(280),
			chargedCredits: CREDITS_MAX,
			reports: { [taskId]: { reason: stars(300), atMs: AT_MS, isPosted: true } },
			done: Object.fromEntries(REPORT_ACTIONS.map((action) => [action, mark])),
		} as const;
		const content = formatReport(reported, taskId, locale);
		const row = reportRow(reported, taskId, locale);
		expect(namedFaultsOf("report", sent({ content, components: [row] }))).toStrictEqual([]);
		expect(row.components.map(({ custom_id: id }) => reportActionCustomId.decode(id)?.reporterId)).toStrictEqual(
			REPORT_ACTIONS.map(() => taskId),
		);
	});
});
