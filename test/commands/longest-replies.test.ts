/** Renders messages, forms and lists of choices with their longest content, as they are sent. */
import { describe, expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { SETUP_STEPS, setupCard, setupStepCustomId } from "../../src/commands/setup.ts";
import { reportCard } from "../../src/discord/report-buttons.ts";
import { textsIn } from "../../src/discord/message-contents.ts";
import { buildMessageBody, listForms } from "../../src/discord/message-forms.ts";
import { settingsCard } from "../../src/commands/settings/settings-card.ts";
import { formatChange } from "../../src/services/settings/format-changes.ts";
import { LIMIT_FIELDS } from "../../src/services/credits/format-limits.ts";
import { pageOf, SETTING_FIELDS, SETTING_PAGES } from "../../src/services/settings/format-settings.ts";
import type { SettingPage } from "../../src/services/settings/setting-table.ts";
import { imageRows, taskCustomIds, taskButtonRows } from "../../src/discord/task-buttons.ts";
import { topUpRow } from "../../src/discord/top-up-buttons.ts";
import { validateRequest } from "@atelier/playground/schema/validator";
import { messageErrors } from "@atelier/playground/schema/message-validation";
import { modalErrors } from "@atelier/playground/schema/component-validation";
import { ApiError } from "@atelier/playground/simulator/api-error";
import { NO_FAILED_ATTEMPTS } from "../../src/services/tasks/failed-attempts.ts";
import { formatFinalReply } from "../../src/services/tasks/format-result.ts";
import { renderProgress } from "../../src/services/tasks/render-progress.ts";
import { imageLabels, resultButtons } from "../../src/services/tasks/result-buttons.ts";
import { REPORT_ACTIONS } from "@atelier/dashboard/schemas/reports";
import { t } from "../../src/i18n/messages.ts";
import { confirmationQuestion } from "../../src/commands/generation/draft-questions.ts";
import type { Task, TaskIn } from "../../src/services/tasks/task.ts";
import type { MediaType } from "@atelier/media-protocol/model";
import {
	COMMAND_MENTIONS,
	AT_MS,
	CREDITS_MAX,
	LONGEST_CHANGE,
	LONGEST_SETTINGS,
	LONGEST_ID,
	longestModel,
	createBotWithLongestContent,
	escapedText,
	longestTask,
	type SentBody,
} from "./longest-content.ts";
import { fakeServices } from "./fake-services.ts";

const taskId = LONGEST_ID;
const CARD_SERVICES = {
	catalog: { known: () => [] },
	clock: createManualClock(),
	commandMentions: COMMAND_MENTIONS,
	dashboardUrl: () => `https://bot.example.com/dashboard/servers/${LONGEST_ID}/settings`,
	settingsService: { provided: { improver: true, moderation: true } },
};

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
	return kind === "message" ? messageErrors(body, { sender: "interaction" }) : [];
}

/** The errors of messages, each with the name or the number of its message. */
function messageErrorsOf(bodies: Readonly<Record<string, object>> | readonly object[]): readonly unknown[] {
	return Object.entries(bodies).flatMap(([name, body]) => {
		const sent = JSON.parse(JSON.stringify(body)) as SentBody["body"];
		return errorsOf({ kind: "message", body: sent }).map((error) => [name, error]);
	});
}

/** The names of commands in a body that are no mention. */
const unlinkedIn = ({ body }: Pick<SentBody, "body">): readonly string[] =>
	JSON.stringify(body).match(/(?<!\\)`\/[^`]+`/g) ?? [];

/** English, and the languages with the longest texts; `test/i18n/languages.test.ts` checks each text in all of them. */
const LOCALES = ["en-US", "fr", "es-ES"];

describe.each(LOCALES)("the request in %s is valid:", (locale) => {
	const bot = createBotWithLongestContent(locale);
	const reader = { guildId: LONGEST_ID, locale };

	test.each<[string, Readonly<Record<string, unknown>>?]>([
		["help"],
		["credits show"],
		["credits history"],
		["credits history", { member: LONGEST_ID }],
		["quota show"],
		["settings show"],
		["settings audit"],
		["filter list"],
		["block", { member: "7", reason: escapedText(200), days: 3650, hours: 23 }],
		["blocks"],
		["style list"],
		["job list"],
		["gallery server"],
		["job show", { id: taskId }],
	])("the reply to /%s", async (path, options) => {
		const reply = await bot.type(path, options);
		expect(reply.kind).toBe("message");
		// Fails if the reply reports that there are no entries.
		const { content = "", components } = reply.body;
		expect([content, ...textsIn(components)].join("\n").length).toBeGreaterThan(400);
		expect(errorsOf(reply)).toStrictEqual([]);
		expect(unlinkedIn(reply)).toStrictEqual([]);
	});

	test.each(SETUP_STEPS)("the step %s of /setup, with all choices selected", async (step) => {
		const reply = await bot.press(setupStepCustomId.encode({ step }));
		expect([...errorsOf(reply), ...unlinkedIn(reply)]).toStrictEqual([]);
	});

	test("every panel, with a denial", () => {
		const models = Array.from({ length: 30 }, (_, at) => ({ ...longestModel("image"), id: `model ${at}` }));
		const services = fakeServices({ ...CARD_SERVICES, catalog: { known: () => models } });
		const settings = LONGEST_SETTINGS;
		const reason = { key: "settings.everyoneRole" } as const;
		const panels = SETTING_FIELDS.map((field) => ({ settings, denial: { field, reason }, page: pageOf(field) }));
		const channelDenial = { field: LONGEST_ID, reason: { key: "settings.oneModelPerMediaType" } } as const;
		const withChannel = { settings, page: "channels", denial: channelDenial } as const;
		const cards = [...panels, withChannel].map((view) => settingsCard(view, services, reader));
		expect([...messageErrorsOf(cards), ...cards.flatMap((body) => unlinkedIn({ body }))]).toStrictEqual([]);
	});

	test("the answer to each button with a form, with all fields filled in", async () => {
		const pages = Object.keys(SETTING_PAGES) as SettingPage[];
		const panels = [
			...pages.map((page) => settingsCard({ settings: LONGEST_SETTINGS, page }, fakeServices(CARD_SERVICES), reader)),
			await bot.type("quota show"),
			...SETUP_STEPS.map((step) => setupCard(step, LONGEST_SETTINGS, locale, COMMAND_MENTIONS)),
		];
		const panelIds = JSON.stringify(panels).match(/1:(setting|limit|channel-defaults|setup-field):[^"]+/g) ?? [];
		expect(panelIds.length).toBeGreaterThan(SETTING_FIELDS.length + LIMIT_FIELDS.length);
		const taskButtonIds = (["edit", "input", "report"] as const).map((action) =>
			taskCustomIds[action].encode({ taskId }),
		);
		const pressed = await Promise.all(
			[...panelIds, ...taskButtonIds].map(async (id) => [id, await bot.press(id)] as const),
		);
		const styleForm = await bot.context("Save as style", taskCustomIds.regenerate.encode({ taskId }));
		for (const [name, answer] of [...pressed, ["style", styleForm] as const])
			expect([name, errorsOf(answer)]).toStrictEqual([name, []]);
		// The others act at once: four settings and the end of a pause, and one limit.
		expect(pressed.filter(([, { kind }]) => kind === "modal")).toHaveLength(pressed.length - 6);
	});

	test.each([
		["image", "model"],
		["image", "aspect_ratio"],
		["image", "resolution"],
		["music", "style"],
		["style add", "resolution"],
		["filter remove", "pattern"],
		["quota server", "time_zone"],
		["job show", "id"],
	])("the choices of /%s for %s", async (path, option) => {
		const choices = await bot.choices(path, option);
		expect([choices.kind, choices.body["choices"]]).toStrictEqual(["choices", expect.objectContaining({ length: 25 })]);
		expect(errorsOf(choices)).toStrictEqual([]);
	});

	test("a change of settings in the log channel", () => {
		expect(messageErrorsOf([{ content: formatChange(LONGEST_CHANGE, locale) }])).toStrictEqual([]);
	});

	const models = { known: (mediaType: MediaType) => [longestModel(mediaType)] };

	test("the messages of a task before its end", () => {
		const task = longestTask({ state: "submitted", remoteId: "r", cancel: { atMs: 1 } }, locale) as Task;
		const status = {
			phase: "queued",
			progressPercent: 95,
			queuePosition: 1_000_000,
			readyAtMs: AT_MS,
			runningSinceMs: 0,
		} as const;
		const progress = renderProgress(task, status, NO_FAILED_ATTEMPTS, 0);
		const failures = { ...NO_FAILED_ATTEMPTS, latestKind: "unavailable", sinceMs: 0 } as const;
		const delayed = renderProgress(task, status, failures, task.reply.tokenExpiresAtMs);
		const { question, buttons } = confirmationQuestion({ ...task, userLocale: locale });
		const bodies = {
			progress: { content: progress?.text, components: taskButtonRows(taskId, progress?.buttons ?? []) },
			delay: { content: delayed?.text, components: taskButtonRows(taskId, delayed?.buttons ?? []) },
			confirmation: { content: t(locale, question), components: taskButtonRows(taskId, buttons) },
		};
		expect(messageErrorsOf(bodies)).toStrictEqual([]);
	});

	/** A task that ends with this number of images. */
	function succeededTask(imageCount: number) {
		const note = { kind: "preview", changes: [{ kind: "frame" }], fullSizeMiB: 99_999 };
		const image = { name: "a.png", contentType: "image/png", sizeBytes: 1, note };
		const files = Array.from({ length: imageCount }, () => image);
		const outcome = { kind: "succeeded", seed: 2 ** 31 - 1, files };
		return longestTask({ state: "settled", outcome }, locale, "image") as TaskIn<"settled">;
	}
	const album = succeededTask(10);
	const url = `https://bot.example.com/${"a".repeat(200)}`;
	const links = Array.from({ length: 10 }, () => ({ url, untilS: AT_MS / 1000 }));
	const attached = formatFinalReply(album, { links });
	const linked = formatFinalReply(album, { links, whyMissing: "rejected" });
	const texts = [attached.text, attached.textWithoutPrompt, linked.text, attached.direct.text, linked.direct.text];
	const images = imageLabels(album, models);
	const buttonsOfOneImage = resultButtons(succeededTask(1), models);

	test("a classic result of one image and of ten, with all buttons", () => {
		expect(buttonsOfOneImage).toHaveLength(10);
		expect(images).toHaveLength(10);
		const rows = [
			taskButtonRows(taskId, buttonsOfOneImage),
			[...taskButtonRows(taskId, resultButtons(album, models)), ...imageRows(taskId, images)],
		];
		const bodies = texts.flatMap((content) => rows.map((components) => ({ content, components })));
		expect(messageErrorsOf(bodies)).toStrictEqual([]);
	});

	test("every form of the card of a result", () => {
		const content = { sizeBytes: 1, readInto: async () => {} };
		const file = { description: "a".repeat(1_024), content, contentType: "image/png" };
		const reply = {
			...attached,
			taskId,
			guildId: taskId,
			recipientId: taskId,
			tone: "success",
			moreLabel: t(locale, { key: "form.more" }),
			buttons: buttonsOfOneImage,
			images,
			files: images.map((_, at) => ({ ...file, name: `${at}.png` })),
		} as const;
		const forms = texts.flatMap((text) => listForms("tokenEdit", { ...reply, text }, true));
		expect(forms.filter(({ tone }) => tone !== undefined).length).toBeGreaterThanOrEqual(texts.length);
		expect(messageErrorsOf(forms.map((form) => buildMessageBody(form)))).toStrictEqual([]);
	});

	test("a failed task, with its reason and an offer of credits", () => {
		const why = { key: "service.rejected", params: { reason: escapedText(600) } };
		const outcome = { kind: "failed", cause: "error", why };
		const failed = longestTask({ state: "settled", outcome }, locale, "image") as TaskIn<"settled">;
		const offer = topUpRow({ skuIds: ["1", "2", "3", "4"], redeemLabel: t(locale, { key: "button.redeem" }) });
		const components = [...taskButtonRows(taskId, resultButtons(failed, models)), offer];
		expect(messageErrorsOf([{ content: formatFinalReply(failed).text, components }])).toStrictEqual([]);
	});

	test("a report, with the moderators' buttons", () => {
		const mark = { byUserId: taskId, atMs: AT_MS };
		const reported = {
			taskId,
			guildId: taskId,
			userId: taskId,
			channelId: taskId,
			messageId: taskId,
			isMessageDeleted: false,
			mediaType: "music",
			modelName: escapedText(80),
			prompt: escapedText(280),
			chargedCredits: CREDITS_MAX,
			reports: { [taskId]: { reason: escapedText(300), atMs: AT_MS } },
			done: Object.fromEntries(REPORT_ACTIONS.map((action) => [action, mark])),
		} as const;
		const card = reportCard(reported, taskId, locale, `https://cdn.example.com/${"a".repeat(1000)}`);
		expect(messageErrorsOf([card])).toStrictEqual([]);
	});
});
