/** Renders messages, forms and lists of choices with their longest content, as they are sent, in every language. */
import { describe, expect, test } from "vitest";
import { setupBudgetCustomId, setupStepCustomId } from "../../src/commands/setup-view.ts";
import { reportActionCustomId, reportRow } from "../../src/discord/report-buttons.ts";
import { textsIn } from "../../src/discord/message-contents.ts";
import { bodyOf, versionsOf } from "../../src/discord/final-reply-versions.ts";
import type { FinalReply } from "../../src/services/delivery/reply-client.ts";
import { settingsPanel } from "../../src/commands/settings-panel.ts";
import { settingForm, toggleOf } from "../../src/commands/settings-forms.ts";
import { limitForm } from "../../src/commands/quota-panel.ts";
import { LIMIT_FIELDS } from "../../src/services/settings/format-limits.ts";
import { pageOf, SETTING_FIELDS } from "../../src/services/settings/format-settings.ts";
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
import { renderConfirmation } from "../../src/services/tasks/unconfirmed-requests.ts";
import type { Task, TaskIn } from "../../src/services/tasks/task.ts";
import type { MediaType } from "@atelier/media-protocol/model";
import { channelDefaultsCustomId } from "../../src/commands/channel-defaults-panel.ts";
import {
	AT_MS,
	LONGEST_SETTINGS,
	LONGEST_ID,
	longestModel,
	createBotWithLongestContent,
	escapedText,
	longestTask,
	type SentBody,
} from "./longest-content.ts";

const CREDITS_MAX = 1_000_000_000;
const taskId = LONGEST_ID;

/** Discord's errors for a body; empty if it is valid. */
function errorsOf({ kind, body }: SentBody): readonly unknown[] {
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

const MODELS = Array.from({ length: 30 }, (_, at) => ({ ...longestModel("image"), id: `model ${at}` }));

const namedErrorsOf = (name: string, body: SentBody): readonly unknown[] =>
	errorsOf(body).map((error) => [name, error]);
const sentBody = (kind: SentBody["kind"], body: object): SentBody => ({
	kind,
	body: JSON.parse(JSON.stringify(body)) as SentBody["body"],
});
const message = (body: object): SentBody => sentBody("message", body);

/** Locales with the texts of another one are left out. */
const LOCALES = ["en-US", ...TRANSLATED_LOCALES].filter((locale) => !["es-419", "zh-TW"].includes(locale));

describe.each(LOCALES)("the request in %s is valid:", (locale) => {
	const bot = createBotWithLongestContent(locale);

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
		["settings pause", { on: true, message: escapedText(200) }],
		["filter list"],
		["filter add", { pattern: "x".repeat(64) }],
		["block", { member: "7", reason: escapedText(200), days: 3650, hours: 23 }],
		["blocks"],
		["style list"],
		["style add", { name: "x".repeat(32), text: escapedText(500) }],
		["style remove", { name: Object.keys(LONGEST_SETTINGS.styles)[0] }],
		["job list"],
		["gallery server"],
		["job show", { id: taskId }],
		["setup"],
	])("the reply to /%s", async (path, options) => {
		const reply = await bot.type(path, options);
		expect(reply.kind).toBe("message");
		// Fails if the reply reports that there are no entries.
		const { content = "", components } = reply.body;
		expect([content, ...textsIn(components)].join("\n").length).toBeGreaterThan(400);
		expect(namedErrorsOf(path, reply)).toStrictEqual([]);
	});

	test("every step of /setup, with all choices selected", async () => {
		for (const step of SETUP_STEPS)
			expect(namedErrorsOf(step, await bot.press(setupStepCustomId.encode({ step })))).toStrictEqual([]);
	});

	test("every panel, with a denial", async () => {
		const reason = { key: "settings.listFull", params: { listedMax: 100 } } as const;
		for (const field of SETTING_FIELDS) {
			const denial = { field, reason };
			const panel = settingsPanel(
				{ settings: LONGEST_SETTINGS, blockedMembers: 500, denial, page: pageOf(field) },
				locale,
			);
			expect(namedErrorsOf(field, message(panel))).toStrictEqual([]);
		}
	});

	test("the defaults of many channels, with a denial", async () => {
		const notice = { key: "settings.denied", params: { reason: { key: "settings.oneModelPerMediaType" } } } as const;
		const content = {
			settings: LONGEST_SETTINGS,
			blockedMembers: 500,
			models: MODELS,
			page: "channels",
			notice,
		} as const;
		expect(namedErrorsOf("channels", message(settingsPanel(content, locale)))).toStrictEqual([]);
	});

	test("forms, with all fields filled in", async () => {
		const [channelId = ""] = Object.keys(LONGEST_SETTINGS.channelDefaults);
		const opened = {
			channel: await bot.press(channelDefaultsCustomId.encode({ channelId })),
			budget: await bot.press(setupBudgetCustomId.encode({})),
			edit: await bot.press(taskButtonCustomIds.edit.encode({ taskId })),
			input: await bot.press(taskButtonCustomIds.input.encode({ taskId })),
			report: await bot.press(taskButtonCustomIds.report.encode({ taskId })),
			style: await bot.context("Save as style", taskButtonCustomIds.report.encode({ taskId })),
			...Object.fromEntries(
				SETTING_FIELDS.filter(
					(field) => toggleOf(LONGEST_SETTINGS, field, { promptImprover: undefined }) === undefined,
				).map((field) => {
					const form = settingForm(
						field,
						{ settings: LONGEST_SETTINGS, models: MODELS, hasModeration: true, rejected: {} },
						locale,
					);
					return [field, sentBody("modal", form)];
				}),
			),
		};
		for (const field of LIMIT_FIELDS.filter((each) => each !== "unused")) {
			const form = limitForm(field, { settings: LONGEST_SETTINGS, rejected: {} }, locale);
			expect(namedErrorsOf(field, sentBody("modal", form))).toStrictEqual([]);
		}
		for (const [name, form] of Object.entries(opened)) {
			expect([name, form.kind]).toStrictEqual([name, "modal"]);
			expect(namedErrorsOf(name, form)).toStrictEqual([]);
		}
	});

	test("autocomplete choices", async () => {
		const offered = {
			model: await bot.choices("image", "model"),
			aspect_ratio: await bot.choices("image", "aspect_ratio"),
			resolution: await bot.choices("image", "resolution"),
			style: await bot.choices("music", "style"),
			style_to_remove: await bot.choices("style remove", "name"),
			style_resolution: await bot.choices("style add", "resolution"),
			pattern: await bot.choices("filter remove", "pattern"),
			model_to_switch: await bot.choices("settings model", "model"),
			zone: await bot.choices("quota server", "time_zone"),
			job: await bot.choices("job show", "id"),
		};
		for (const [name, choices] of Object.entries(offered)) {
			expect([name, choices.kind, (choices.body["choices"] as unknown[]).length]).toStrictEqual([name, "choices", 25]);
			expect(namedErrorsOf(name, choices)).toStrictEqual([]);
		}
	});

	const models = { known: (mediaType: MediaType) => [longestModel(mediaType)] };
	const runningTask = longestTask({ state: "submitted", remoteId: "r", cancel: { atMs: 1 } }, locale) as Task;

	test("the progress of a task, and the notice of its delay", () => {
		const status = { phase: "queued", progressPercent: 95, queuePosition: 1_000_000, readyAtMs: AT_MS } as const;
		const progress = renderProgress(runningTask, status, 0);
		const components = taskButtonRows(taskId, progress?.buttons ?? []);
		expect(namedErrorsOf("progress", message({ content: progress?.text, components }))).toStrictEqual([]);
		expect(namedErrorsOf("delay", message({ content: renderDelayNotice(runningTask) }))).toStrictEqual([]);
	});

	test("the question before a task that costs much", () => {
		const { question, buttons } = renderConfirmation(runningTask.request, locale);
		const components = taskButtonRows(taskId, buttons);
		expect(namedErrorsOf("confirmation", message({ content: t(locale, question), components }))).toStrictEqual([]);
	});

	/** A task that ends with this number of images. */
	function succeededTask(imageCount: number) {
		const note = { key: "result.preview", params: { changes: [{ key: "change.frame" }], sizeMiB: 99_999, taskId } };
		const image = { name: "a.png", contentType: "image/png", sizeBytes: 1, note };
		const files = Array.from({ length: imageCount }, () => image);
		const outcome = { kind: "succeeded", seed: 2 ** 31 - 1, files };
		return longestTask({ state: "settled", outcome }, locale, "image") as TaskIn<"settled">;
	}
	const album = succeededTask(10);
	const links = Array.from({ length: 10 }, () => ({
		url: `https://bot.example.com/${"a".repeat(200)}`,
		untilS: AT_MS / 1000,
	}));
	const { text, textWithoutFiles, textWithoutPrompt, direct } = renderFinalReply(album, links);
	const resultTexts = [text, textWithoutFiles, textWithoutPrompt, ...Object.values(direct)];
	const images = imageLabels(album, models);
	const buttonsOfOneImage = resultButtons(succeededTask(1), models);

	test("a result of one image, and one of ten, with all buttons", () => {
		expect(buttonsOfOneImage).toHaveLength(9);
		const one = message({ content: "", components: taskButtonRows(taskId, buttonsOfOneImage) });
		expect(namedErrorsOf("one image", one)).toStrictEqual([]);
		expect(images).toHaveLength(10);
		const components = [...taskButtonRows(taskId, resultButtons(album, models)), ...imageRows(taskId, images)];
		for (const content of resultTexts)
			expect(namedErrorsOf("ten images", message({ content, components }))).toStrictEqual([]);
	});

	test("every version of the card of a result", () => {
		const content = { sizeBytes: 1, readInto: async () => {} };
		const file = { description: "a".repeat(1_024), content, contentType: "image/png" };
		const reply: FinalReply = {
			taskId,
			guildId: taskId,
			recipientId: taskId,
			tone: "success",
			moreLabel: t(locale, { key: "form.more" }),
			buttons: buttonsOfOneImage,
			images,
			files: images.map((_, at) => ({ ...file, name: `${at}.png` })),
			text,
			textWithoutPrompt,
			direct,
		};
		for (const resultText of resultTexts) {
			const versions = versionsOf(reply, { text: resultText, textWithoutPrompt }, { mayBeCard: true });
			expect(versions.filter(({ tone }) => tone !== undefined).length).toBeGreaterThan(0);
			for (const version of versions) expect(namedErrorsOf("card", message(bodyOf(version)))).toStrictEqual([]);
		}
	});

	test("a failed task, with its reason and an offer of credits", () => {
		const why = { key: "service.rejected", params: { reason: escapedText(600) } };
		const outcome = { kind: "failed", why };
		const failed = longestTask({ state: "settled", outcome }, locale, "image") as TaskIn<"settled">;
		const buttonRows = taskButtonRows(taskId, resultButtons(failed, models));
		const offer = topUpRow({ skuIds: ["1", "2", "3", "4"], redeemLabel: t(locale, { key: "button.redeem" }) });
		const body = { content: renderFinalReply(failed).text, components: [...buttonRows, offer] };
		expect(namedErrorsOf("failure", message(body))).toStrictEqual([]);
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
			modelName: escapedText(80),
			prompt: escapedText(280),
			chargedCredits: CREDITS_MAX,
			reports: { [taskId]: { reason: escapedText(300), atMs: AT_MS, isPosted: true } },
			done: Object.fromEntries(REPORT_ACTIONS.map((action) => [action, mark])),
		} as const;
		const content = formatReport(reported, taskId, locale);
		const row = reportRow(reported, taskId, locale);
		expect(namedErrorsOf("report", message({ content, components: [row] }))).toStrictEqual([]);
		expect(row.components.map(({ custom_id: id }) => reportActionCustomId.decode(id)?.reporterId)).toStrictEqual(
			REPORT_ACTIONS.map(() => taskId),
		);
	});
});
